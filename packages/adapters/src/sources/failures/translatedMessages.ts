/**
 * Messages of platforms in other languages, in the same groups as `messages.ts`, matched by stems that are unique
 * to a group. One line for one language or a few related ones: German and Dutch, French, Spanish and Portuguese,
 * Italian, Polish and Czech, Russian and Ukrainian, Scandinavian, Turkish and Vietnamese, Japanese, Chinese,
 * Korean.
 */
import type { FailureClass } from "./classify.ts";

export type MessagePattern = readonly [words: RegExp, verdict: FailureClass];

/** Joins alternatives into one expression, one per line. */
export const any = (...alternatives: ReadonlyArray<string>): RegExp =>
  new RegExp(alternatives.join("|"), "iu");

const LOGIN_WALLS: ReadonlyArray<MessagePattern> = [
  [
    any(
      String.raw`kein(?:en)? (?:ro)?bot|roboter|sicherheitsüberprüfung|ungewöhnliche\w* (?:datenverkehr|aktivität)|geen robot|ongebruikelijk verkeer`,
      String.raw`(?:pas|n'êtes pas) un robot|êtes un humain|trafic inhabituel|activité (?:inhabituelle|suspecte)`,
      String.raw`no (?:eres|soy|es) un robot|(?:não|nao) é um rob[ôo]|tr[áa]fico inusual|tráfego incomum|non sei un robot|traffico insolito`,
      String.raw`nie jeste[śs] robotem|nejste robot|вы не робот|не робот|подозрительн\S+ (?:активност|трафик)|необычн\S+ трафик`,
      String.raw`inte är en robot|ikke er en robot|robot olmadığınızı`,
      String.raw`ロボットではない|不審なアクセス|異常なアクセス|不是机器人|不是機器人|安全验证|安全驗證|人机验证|滑动验证|访问异常|被拦截|請求異常|请求异常|风控|로봇이 아닙|비정상적인 (?:접근|트래픽|접속)`
    ),
    "bot_blocked"
  ],
  [
    any(
      String.raw`zu viele (?:an|zu|ab)fragen|zu viele zugriffe|te veel verzoeken|trop de (?:requêtes|demandes)`,
      String.raw`demasiad[ao]s (?:solicitudes|peticiones)|(?:muitas|demasiadas) (?:solicitações|requisições|pedidos)|troppe richieste`,
      String.raw`zbyt wiele (?:żądań|zapytań|prób)|příliš mnoho|слишком (?:много|часто)|забагато запитів|för många förfrågningar|for mange forespørsler|çok fazla istek|quá nhiều yêu cầu`,
      String.raw`リクエストが多|アクセスが集中|アクセスが多|请求过于频繁|請求過於頻繁|操作(?:过于|太)频繁|操作太頻繁|访问(?:过于|太)频繁|访问频率|요청이 (?:너무 )?많`
    ),
    "rate_limited"
  ]
];

const CONTENT: ReadonlyArray<MessagePattern> = [
  [
    /kopiergeschützt|kopierschutz|protégée? contre la copie|защищен\S* drm|著作権保護技術|版权保护内容/iu,
    "drm"
  ],
  [
    any(
      String.raw`in (?:deinem|ihrem|diesem|uw|jouw|je|dit) (?:land|regio\w*|gebiet|gebied|standort)|für (?:dein|ihr) land|nur in (?:deutschland|österreich|der schweiz|der eu)|nur innerhalb|au(?:ß|ss)erhalb (?:von |der |des )?(?:deutsch|österr|schweiz|eu\b)|geo-?(?:sperre|geblock|beschränk)|alleen (?:beschikbaar )?in (?:nederland|belgië)|buiten (?:nederland|belgië)`,
      String.raw`(?:votre|ton|ce|certains) (?:pays|territoires?)\b|(?:votre|cette) (?:région|zone|localisation|position)|zone géographique|géo-?(?:bloqu|restr|local)|restrictions? géograph|(?:hors de|qu'en) (?:france|suisse|belgique|europe)|(?:en|depuis la) france (?:métropolitaine|uniquement)`,
      String.raw`(?:tu|su|este|seu|teu|neste|deste|vostro|tuo|suo|questo|nel tuo|esse) (?:pa[íi]s|paese|territ[óo]rio)\b|(?:tu|su|sua|tua) (?:ubicaci[óo]n|zona|regi[óo]n|região|localiza[çc][ãa]o|localización|posizione|area geografica)|bloqueo geogr|restric\S+ geogr|restrizioni geogr|zona geogr[áa]fica|fuera de españa|fora do brasil|(?:al di )?fuori d(?:all|ell)'?italia|dall'estero|sol(?:o|tanto) in (?:italia|svizzera)|s[oó]lo (?:disponible |visible )?(?:en|desde|para) (?:españa|méxico|argentina|chile)|(?:apenas|somente|só) (?:disponível )?(?:no brasil|em portugal)`,
      String.raw`w (?:twoim|tym|pa[ńn]stwa) (?:kraju|regionie)|twoim regionie|poza (?:granicami|terytorium) polsk|tylko w polsce|(?:pouze|jen) v (?:čr|česk)|ograniczenia terytorialne|ve vaš[íe] (?:zemi|oblasti|krajině)|vo vašej krajine|(?:na|mimo) území (?:čr|české)`,
      String.raw`(?:в|для) ваше[йгм]\S* (?:стран|регион)|в вашей (?:стране|местности)|вашем регионе|на территории (?:вашей|вашего|рф|росси)|у вашій країні|вашому регіоні|географическ`,
      String.raw`(?:ditt|dit|det her|dette) (?:land|område|region)|(?:ses|visas|tillgänglig\w*|tilgjengelig|tilgængelig\w*) i (?:sverige|norge|danmark|finland)|utanför sverige|utenfor norge|uden for danmark|din region|ülkenizde|bölgenizde|bulunduğunuz (?:ülke|bölge)|quốc gia của bạn|khu vực của bạn|vùng của bạn|negara anda|ei ole katsottavissa (?:suomen )?ulkomail|vain suomessa|yalnızca türkiye`,
      String.raw`(?:お住まい|お使い|ご利用)の(?:国|地域|エリア)|日本国外|日本国内(?:のみ|から|でのみ)|海外から|この(?:国|地域)では|地域(?:制限|では視聴)|視聴(?:可能|できる)地域`,
      String.raw`(?:您|你)?所在(?:的)?(?:地区|地區|国家|國家|区域|區域|位置)|(?:地区|地區|区域|區域|地域)(?:限制|版权)|(?:中国大陆|中國大陸|大陆|海外|境外)(?:以外|地区|地區|用户)|仅限\S{0,8}(?:地区|大陆)|해당 (?:국가|지역)|거주하(?:는|시는) (?:국가|지역)|(?:국가|지역)에서(?:는)? (?:시청|이용|재생|볼 수)|해외에서|국내에서만`
    ),
    "geo_restricted"
  ],
  [
    any(
      String.raw`alters(?:beschränk|freigabe|verif|prüf|nachweis|gruppe|grenze)|jugendschutz|dein alter|ihr alter|ab (?:16|18) jahren|unter (?:16|18) jahren|nur (?:zwischen|von) \d\d.{0,20}uhr|erst ab \d\d uhr|leeftijd`,
      String.raw`d'âge|(?:votre|ton) âge|moins de (?:16|18) ans|réservée? aux (?:adultes|majeurs)|public averti|plus de 18 ans`,
      String.raw`(?:de|por|tu|su|sua) (?:edad|idade)\b|mayores? de (?:16|18)|menores? de (?:16|18)|maiores? de (?:16|18)|sólo para adultos|contenido (?:sensible|para adultos)|conteúdo (?:sensível|adulto)|limiti? d'età|(?:tua|sua) età\b|vietat[oa] ai minori|maggiori? di 18|contenut\S+ (?:sensibil|espliciti)`,
      String.raw`ogranicze\S+ wiek|(?:pełnoletni|dorosłych)|swój wiek|věkov|osoby mladší|возраст|18\+|18 лет|совершеннолет|вікове|для взрослых|åldersgräns|aldersgrense|aldersgrænse|yaş sınır|yaşınızı|độ tuổi`,
      String.raw`年齢(?:確認|制限|認証)|18歳(?:未満|以上)|成人向け|未成年|年龄(?:限制|验证|确认)|年齡(?:限制|驗證|確認)|十八岁|18岁|성인\s?(?:인증|콘텐츠|전용|만)|연령\s?(?:제한|확인)|청소년|19세`
    ),
    "age_restricted"
  ],
  [
    any(
      String.raw`noch nicht (?:verfügbar|begonnen|gestartet|live|veröffentlicht|gesendet|freigeschaltet|abrufbar)|beginnt (?:in|um|am|erst)|startet (?:in|um|am)|demnächst|nog niet (?:beschikbaar|begonnen|gestart)|binnenkort beschikbaar|derzeit (?:nicht live|offline)|(?:sendung|stream|übertragung) (?:ist )?(?:beendet|offline)`,
      String.raw`pas encore (?:disponible|commencé|débuté|en ligne|diffus|en direct|sorti)|(?:commence|débute)(?:ra)? (?:à|dans|le)(?!\p{L})|bientôt disponible|direct (?:est )?terminé|pas en direct|hors ligne`,
      String.raw`(?:aún|todavía) no (?:está |ha )?(?:disponible|comenzado|empezado|en vivo)|no ha (?:comenzado|empezado)|ainda não (?:está |foi )?(?:disponível|começou|lançado|iniciad)|ainda não começou|comenzará (?:en|a|el)|começa(?:rá)? (?:em|às)|próximamente|em breve|no está en (?:vivo|directo)|não está ao vivo|(?:transmisión|emisión|transmissão|directo) (?:ha )?(?:finalizad|terminad|encerrad|terminou)|non è ancora (?:disponibile|iniziat|in onda)|inizierà|prossimamente|non è in diretta|diretta (?:è )?(?:terminata|conclusa|offline)`,
      String.raw`jeszcze (?:niedostępn|nie (?:jest|rozpocz|wystart))|rozpocznie się|wkrótce|transmisja (?:została )?zakończ|zatím není|ještě n(?:e|ení)|ещ[её] не (?:начал|доступн|вышл|опубликован)|начн[её]тся|скоро (?:начн|будет)|трансляци\S+ (?:заверш|закончи|не нача)|не в эфире|ще не (?:почал|доступн)`,
      String.raw`(?:ännu|inte än|ikke ennå|endnu ikke|enda ikke) |henüz (?:başlamadı|yayınlanmadı)|yakında|chưa (?:bắt đầu|phát|được công chiếu)|belum dimulai`,
      String.raw`(?:配信|放送|公開|ライブ|番組|生放送)\S{0,4}(?:前|開始前|されていません|予定|終了|まで)|まだ(?:公開|配信|開始|始ま)|公開予定|タイムシフト(?!が見つかり)|直播未(?:开始|開始)|尚未(?:开始|開始|开播|開播|上线|上線|发布|發布|公开)|未开播|未開播|即将(?:开始|上线|播出)|即將(?:開始|上線)|直播(?:已)?(?:结束|結束)|主播不在|不在直播|아직 (?:시작|공개|방송)|방송(?:이|은)? ?(?:예정|종료|중이 아)|공개 예정|라이브가 종료|예정된`
    ),
    "live"
  ],
  [
    any(
      String.raw`gelöscht|entfernt|abgelaufen|depubliziert|existiert nicht|nicht mehr (?:verfügbar|vorhanden|abrufbar|online|zugänglich|abspielbar|zu sehen|in der mediathek)|konto (?:wurde )?gesperrt|urheberrecht|verwijderd|niet meer beschikbaar|bestaat niet|verlopen`,
      String.raw`supprimée?|retirée?(?!\p{L})|expirée?(?!\p{L})|n'existe (?:plus|pas)|n'est plus (?:disponible|en ligne|accessible)|plus disponible|droits d'auteur|compte (?:a été )?(?:suspendu|résilié|désactivé)`,
      String.raw`eliminad[oa]|borrad[oa]|retirad[oa]|removid[oa]|exclu[íi]d[oa]|apagad[oa]|caducad[oa]|expirad[oa]|no existe|não existe|ya no (?:está|se encuentra)|não está mais|derechos de autor|direitos autorais|(?:cuenta|conta) (?:suspendida|suspensa|cancelada|desactivada)|rimoss[oa]|eliminat[oa]|scadut[oa]|non esiste|non è più|cancellat[oa]`,
      String.raw`usunięt|wygas[łl]|nie istnieje|nie jest już dostępn|odstraněn|smazán|neexistuje|již není|удал[её]н|больше не (?:доступ|существ)|не существует|снят\S* с публикации|заблокирован\S* по (?:требованию|решению)|правообладател|срок \S+ ист[её]к|видалено|не існує|страница удалена|аккаунт (?:удал|заблок)`,
      String.raw`(?:har )?(?:blivit )?(?:tagits bort|tatt bort|taget ned|borttag|raderad|slettet|fjernet)|inte längre|ikke læng?ere|ikke lenger|finns inte kvar|finnes ikke|findes ikke|ei ole enää|poistettu|kaldırıl|silin(?:di|miş)|mevcut değil|đã bị (?:xóa|gỡ)|không tồn tại|telah dihapus|tidak ditemukan`,
      String.raw`削除(?:され|済)|存在しま|見つかりません|公開(?:を)?終了|公開期間|配信期間|掲載期間|期限切れ|期間が(?:終了|過ぎ)|権利者の申(?:し)?立て|不见了|(?:已|被)(?:被)?(?:作者|用户|博主|发布者|管理员)?(?:自行)?(?:删除|刪除|移除|下架|下线|下線|封禁|封停|屏蔽|注销)|不存在|已失效|已过期|已過期|找不到|未找到|视频去哪了|视频消失|违规|違規|著作權|版权原因|삭제(?:된|되|하)|존재하지 않|찾을 수 없|만료|저작권|게시 중단|이용이 정지`
    ),
    "removed"
  ],
  [
    any(
      String.raw`privates? (?:video|konto|profil)|ist privat\b|keine berechtigung|zugriff verweigert|nicht berechtigt|privévideo|is privé|geen toegang`,
      String.raw`(?:vidéo|compte|contenu|profil|chaîne) (?:est )?privée?|est privée?(?!\p{L})|accès (?:refusé|interdit)|pas autorisé`,
      String.raw`(?:v[íi]deo|cuenta|conta|contenido|conteúdo|perfil|account|profilo) (?:es |é |está )?privad?[oa]\b|es privad[oa]|é privad[oa]|é privat[oa]|video privato|acceso denegado|acesso negado|accesso negato|sin permiso|sem permissão|non (?:sei )?autorizzat`,
      String.raw`\bprivat[oa]?\b|pribadi|riêng tư|yksityi|özel (?:video|hesap|içerik)|prywatn|brak (?:dostępu|uprawnień)|odmowa dostępu|soukrom|přístup odepřen|приватн|закрыт(?:ый|ое|ая|ого) (?:аккаунт|профиль|видео|сообществ)|скрыт\S* настройками|нет доступа|доступ (?:\S+ ){0,3}(?:запрещ|закрыт|огранич)|(?:профиль|аккаунт|страница) закрыт|(?:автор|владелец|пользователь) скрыл|ограничил\S* доступ|только (?:для )?друз`,
      String.raw`privat (?:video|konto|profil)|åtkomst nekad|ingen tilgang|gizli (?:video|hesap)|erişim (?:engel|redd)|riêng tư|非公開|限定公開|閲覧(?:権限|できません)|権限がありません|設为私密|设为私密|設為私人|私密|私人(?:视频|影片|帳|账)|仅(?:作者)?(?:自己|粉丝|好友)可见|僅(?:自己|粉絲|好友)可見|不可见|不可見|无权(?:限)?(?:访问|查看|观看)|沒有權限|没有权限|비공개|비밀글|권한이 없|접근(?:이)? (?:거부|제한|권한)`
    ),
    "private"
  ],
  [
    any(
      String.raw`anmeld|meld\w* .{0,12}\ban\b|logg?\w* .{0,12}\bein\b|einlogg|eingeloggt|registrier|abonnent|abonnement|abonnier|(?:nur|exklusiv) für .{0,30}(?:mitglieder|kunden|nutzer)|kostenpflichtig|bezahl|passwort|kaufen|inloggen|log in om|wachtwoord|alleen voor (?:leden|abonnees)`,
      String.raw`(?:se |vous |reconnect|de vous )connecter|connectez|connexion requise|(?:vous )?identifi(?:er|ez)|abonn[ée]|mot de passe|inscri(?:re|vez|ption)|payante?\b|réservée? aux`,
      String.raw`inici(?:ar|a|e) sesi[óo]n|identificarse|reg[íi]str(?:ate|ese|arse|ados)|suscri|contraseña|de pago|(?:faça|fazer|efetu\S+) (?:o )?login|(?:entrar|iniciar) (?:na|sessão)|assinant|assinatura|cadastr|senha\b|acced(?:i|ere)\b.{0,30}|effettua\S* (?:l'accesso|il login)|registrat|abbona|a pagamento|solo para (?:miembros|socios)|exclusivo para (?:membros|assinantes)`,
      String.raw`zaloguj|zalogowa|logowani|subskry|abonament|wymaga płatności|płatn|hasło|zarejestr|přihlás|předplat|войдите|войти|авториз|вход\S* в|зарегистр|подписк|подписчик|платн|купить|пароль|увійдіть|передплат`,
      String.raw`logga in|inlogg|logg inn|innlogg|log(?:ge)? ind|abonnemang|lösenord|passord|adgangskode|kirjaudu|giriş yap|üye ol|abone|parola|şifre|đăng nhập|đăng ký|hội viên|masuk untuk`,
      String.raw`ログイン|会員|有料|購入|チケット|パスワード|サブスク|登録が必要|プレミアム|登录|登錄|登入|会员|會員|付费|付費|购买|購買|订阅|訂閱|充电|密码|密碼|大会员|로그인|회원|유료|구매|구독|비밀번호|멤버십|이용권`
    ),
    "login_required"
  ]
];

const REST: ReadonlyArray<MessagePattern> = [
  [
    /(?<!浏览器)(?:暂)?不支持|(?:対応|サポート)していません|지원하지 않|nicht unterstützt|niet ondersteund|pas pris en charge|não (?:é |são )?suportad|non (?:è )?supportat|не поддерживается/iu,
    "not_extractable"
  ],
  [
    any(
      String.raw`(?:enthält|hat) kein\S* video|kein\S* videos? (?:gefunden|vorhanden)|geen video|(?:aucune|pas de) vidéo|(?:ningún|sin|no hay|no contiene) v[íi]deo|(?:nenhum|não (?:há|contém)) v[íi]deo|nessun video`,
      String.raw`(?:brak|nie zawiera) (?:wideo|filmu|materiału)|žádné video|(?:нет|не содержит|без) видео|動画(?:は|が)(?:ありません|含まれていません)|没有视频|沒有影片|无视频|(?:동)?영상이 없`
    ),
    "no_media"
  ],
  [
    any(
      String.raw`wartung|technische\S* (?:problem|störung|fehler|schwierig)|interner (?:server)?fehler|vorübergehend nicht|onderhoud|storing|erreur (?:technique|interne|serveur)|problème technique|momentanément|temporairement`,
      String.raw`error (?:interno|técnico|del servidor)|erro (?:interno|técnico|no servidor)|problemas? t[ée]cnicos?|temporalmente|temporariamente|manutenção|mantenimiento|manutenzione|errore (?:interno|tecnico|del server)|temporaneamente`,
      String.raw`przerwa techniczna|błąd (?:serwera|wewnętrzny)|problemy techniczne|chwilowo|технич\S+ (?:работ|пробле|неполад)|ошибка сервера|внутренняя ошибка|временно недоступ|tekniskt fel|teknisk feil`,
      String.raw`メンテナンス|サーバー?エラー|一時的|混み合って|维护|維護|服务器(?:错误|繁忙|异常)|伺服器|系统(?:繁忙|错误|异常)|系統(?:繁忙|錯誤)|网络(?:繁忙|异常|错误)|점검|서버 (?:오류|에러)|일시적`
    ),
    "timeout"
  ],
  [
    any(
      String.raw`später (?:erneut|noch ?einmal|wieder)|probeer het later|réessaye[rz]? (?:plus tard|ultérieurement)|plus tard|(?:inténtalo|intente|int[ée]ntelo).{0,20}(?:más tarde|de nuevo)|tente (?:novamente|mais tarde)|riprova (?:più tardi)?|spróbuj (?:ponownie|później)|попробуйте (?:позже|ещ[её])|повторите (?:попытку|позже)|försök igen|prøv igjen|しばらく(?:して|経って|してから)|稍后(?:再试|重试)|稍後再試|나중에 다시|잠시 후`
    ),
    "rate_limited"
  ],
  [
    any(
      String.raw`nicht (?:verfügbar|gefunden|vorhanden|abrufbar|abspielbar|erreichbar|auffindbar)|gesperrt|niet (?:beschikbaar|gevonden)|indisponible|introuvable|(?:non|pas|n'est pas) disponible|n'a pas (?:été|pu être) trouvé`,
      String.raw`no (?:está |se encuentra )?disponible|no (?:se ha )?(?:encontrad[oa]|encontr[óo])|(?:não|nao|indisp)\S*\s?(?:está )?dispon[íi]vel|indisponível|não (?:foi )?encontrad[oa]|non (?:è )?(?:disponibile|trovat[oa])`,
      String.raw`niedostępn|nie (?:znaleziono|odnaleziono)|nedostupn|nenalezen|neby[lo]\w* nalezen|не ?доступ(?:ен|но|на)|не найден|недоступ|не знайдено|inte tillgänglig|ikke tilgj?engelig|hittades inte|ikke funnet|ei löydy|bulunamad|kullanılamıyor|không (?:khả dụng|có sẵn|tìm thấy)|tidak tersedia`,
      String.raw`ご覧いただけません|視聴できません|再生できません|利用できません|無法(?:播放|觀看)|无法(?:播放|观看|访问|查看|浏览)|暂无|不可用|(?:재생|시청|이용)할 수 없|볼 수 없`
    ),
    "removed"
  ]
];

/**
 * First match wins. Tried before the English patterns, whose words (`account`, `premium`) are used in all
 * languages.
 */
export const ABROAD: ReadonlyArray<MessagePattern> = [...LOGIN_WALLS, ...CONTENT, ...REST];
