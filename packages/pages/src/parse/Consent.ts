/**
 * Dialogs that ask for consent to cookies and the like: no text of the page, however long they are. Recognised by
 * what they are or are called, and by what they say. Retrain: train/train-page-text.ts. Tests: HiddenText.test.ts.
 */
import { type PageElement, textOf, walk } from "./PageTree.ts";

/** Dialogs say what they are about at their beginning, in characters. */
const OPENING_CHARS_MAX = 5_000;

/** What they talk about, in the languages of Europe and some more. */
const SUBJECT =
  /cookie|gdpr|ccpa|consent|privacy|(?:personal|your) data|datenschutz|einwillig|privatsphäre|vie privée|consentement|données|privacidad|consentimiento|datos personales|privacidade|consentimento|dados pessoais|riservatezza|consenso|dati personali|toestemming|privacybeleid|persoonsgegevens|prywatnoś|zgod[ayęz]|ciaste?cz|soubor[yů] cookie|soukrom|samtyck|samtykke|integritet|personoppl|evästeet|yksityisyy|adatvédel|sütik|confidențialitat|απόρρητο|согласи|конфиденциальн|файлы cookie|çerez|gizlilik|クッキー|プライバシー|同意|隐私|隱私|쿠키|개인정보/iu;

/** What they ask for. */
const CONTROL = /^(?:button|input|a)$/;
const ANSWER =
  /accept|agree|allow|reject|decline|refuse|consent|got it|preferences|settings|manage|save|\bok\b|akzept|zustimm|zulassen|erlauben|ablehn|verweiger|einverstanden|verstanden|einstellung|autoriser|refus|continuer|paramétr|aceptar|entendido|de acuerdo|rechazar|permitir|configur|aceitar|rejeitar|concordo|accett|rifiut|impostazioni|personalizz|akkoord|toestaan|weiger|instellingen|akcept|zgadzam|zgod|zezw|odrzu|přijm|souhlas|povolit|odmít|godkänn|tillåt|neka|godta|tillat|tillad|avvis|afvis|hyväksy|salli|elfogad|engedély|αποδοχ|αποδέχ|συμφων|принять|принима|соглас|понятно|отклон|прийня|kabul|onayl|reddet|同意|接受|拒绝|拒否|允许|許可|동의|허용|수락/iu;

/** Names of consent tools, and of boxes for consent. */
const TOOL_NAMES =
  /onetrust|cookiebot|didomi|usercentrics|qc-cmp|sp_message|truste|iubenda-cs|cky-consent|cookie-law-info|cookieyes|borlabs|klaro|termly|osano|tarteaucitron|axeptio|fc-consent|fides|complianz|cmplz|moove_gdpr|cc-window|(?:^|[\s_-])(?:cmp|cli|ccpa|(?:cookie|consent|gdpr|privacy)s?[\s_-]?(?:banner|dialog|modal|popup|notice|notification|bar|box|overlay|layer|message|manager|prompt|wall|preferences|settings|container|wrapper|root|sdk))(?:[\s_-]|$)|(?:^|\s)(?:gdpr|cookies?|consent)(?=\s|$)/i;

const DIALOG_ROLES = /^(?:dialog|alertdialog)$/i;

export const isDialog = ({ attributes, name }: PageElement): boolean =>
  name === "dialog" || attributes["aria-modal"] === "true" || DIALOG_ROLES.test(attributes["role"] ?? "");

const isNamedConsent = ({ attributes }: PageElement): boolean =>
  TOOL_NAMES.test(`${attributes["class"] ?? ""} ${attributes["id"] ?? ""}`);

const LABEL_CHARS_MAX = 100;

/** Elements whose controls are looked at. */
const CONTROL_ELEMENTS_MAX = 2_000;

const asksForAnswer = (element: PageElement): boolean => {
  let count = 0;
  let isAsking = false;
  walk(element, (inner) => {
    count += 1;
    if (isAsking || count > CONTROL_ELEMENTS_MAX) return false;
    if (CONTROL.test(inner.name) || inner.attributes["role"] === "button")
      isAsking = ANSWER.test(
        `${inner.attributes["value"] ?? ""} ${textOf(inner, LABEL_CHARS_MAX).slice(0, LABEL_CHARS_MAX)}`
      );
    return !isAsking;
  });
  return isAsking;
};

const isAbout = (element: PageElement): boolean =>
  SUBJECT.test(
    `${element.attributes["aria-label"] ?? ""} ${textOf(element, OPENING_CHARS_MAX).slice(0, OPENING_CHARS_MAX)}`
  );

/** An article about cookies may be called like a dialog, but asks for nothing. */
export const isConsent = (element: PageElement): boolean =>
  element.name !== "body" &&
  (isDialog(element)
    ? isAbout(element)
    : isNamedConsent(element) && isAbout(element) && asksForAnswer(element));
