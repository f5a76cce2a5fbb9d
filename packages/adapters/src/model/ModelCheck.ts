/**
 * Asks the configured model servers one short question each, as the first run would: a word of the language model, a
 * second of spoken sound of the speech model. Operators learn what is wrong before a caller does. Tests: the CLI's modelChecks.test.ts.
 */
import { CurrentRun, runFor } from "@winnow/core/ports/CurrentRun";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import { SpeechClient } from "../speech/SpeechClient.ts";
import { LlmClient } from "./provider/LlmClient.ts";
import { kindBehind } from "../model-server/LlmFailures.ts";

/** What is wrong with a server, as far as its answer tells. */
const MODEL_FAULTS = ["denied", "no_model", "unreachable", "silent", "fault_inside", "other"] as const;
export type ModelFault = (typeof MODEL_FAULTS)[number];

export type ModelCheck =
  | { readonly _tag: "Answered"; readonly seconds: number; readonly said: string }
  | { readonly _tag: "Faulty"; readonly fault: ModelFault; readonly message: string };

const failed = (fault: ModelFault, message: string): ModelCheck => ({ _tag: "Faulty", fault, message });

/** A run of no account. */
const timed = <E, R>(answer: Effect.Effect<string, E, R>): Effect.Effect<ModelCheck, E, R> =>
  Effect.gen(function* () {
    const startedAtMs = yield* Clock.currentTimeMillis;
    const said = yield* answer;
    const seconds = ((yield* Clock.currentTimeMillis) - startedAtMs) / 1_000;
    return { _tag: "Answered", seconds, said } as const;
  }).pipe(Effect.provideService(CurrentRun, runFor("")));

/** Enough for a word, and for a model that thinks before. */
const WORD_TOKENS_MAX = 64;

export const checkLanguageModel: Effect.Effect<ModelCheck, never, LlmClient> = LlmClient.use((client) =>
  timed(
    Effect.map(
      client.complete({
        messages: [{ role: "user", content: "Answer with the one word: yes" }],
        schema: null,
        isStrict: true,
        maxOutputTokens: WORD_TOKENS_MAX
      }),
      ({ text }) => text.trim()
    )
  )
).pipe(
  Effect.catchTags({
    Failed: (failure) => {
      const kind = kindBehind(failure);
      const fault = MODEL_FAULTS.find((each) => each === kind) ?? "other";
      return Effect.succeed(failed(fault, failure.message));
    },
    InputTooLong: () => Effect.succeed(failed("other", "The language model cannot read ten words.")),
    ModalityRefused: () =>
      Effect.succeed(failed("other", "The language model refused a question of ten words."))
  })
);

/** "Can you hear me?" in 0.9 s of mp3, made for this by espeak-ng. */
const SPOKEN_SECONDS = 0.864;
const SPOKEN =
  "//MoxAAL8AKts0EQAOtTmDABD8QBiXLg+D4IVnxGf4IAgCDvh9RQ5+D4fygIAgcif4gd//KHP6AQDH/wQaqGqqqlgEBUFY/0" +
  "//MoxAsPqTLZkYMQAJvpnYpVc7zbP9H1YrkRDf01Q7/L6IWLFB+VCrxcDhFSXkGAHlhSLK7f/j6iTbbN6Ps3nEKXRtzYSBAG" +
  "//MoxAcO6QrmVcxoAHwn8+E6+NCLGSYU5Cc2En3sBcjvpQUgwRGEPMi+3//qQoIIKLhpMzc0fFf0ycMf/rl3kPzd1VAFiANs" +
  "//MoxAYOIgLlvDgFggqVLYpeUF+D5omL5HFLVL52KwkztO+V7Y2aBh+Sav/XQeobSYwnXvp3UEuHbFVU2l3CFYUS2pcTXXAB" +
  "//MoxAgPIYLmX0kQAiXcj9GQbxc1+d+jAdjImf7j4i2UBaUrf6/9WmNUrV+ZP/+l7mqFcDJ0O/gyIniWdb2LcJrFa021sMFo" +
  "//MoxAYOikq8AY8oARSjIUCHlhQwni6OdrWYIu9H/////8YnQ7erfuT6kkIIM4on//xMXKedBQfRfr7t/wEFIAYqns3I0aeh" +
  "//MoxAYOmebIAYwoAFnCa1xT8UV///////9COQgkrEUScQUcxhQMDSZhMAxUzj2+Qn5xBPyiQsUOsM6XFGaTAjIVt97blxMT" +
  "//MoxAYOIeLcAYkoAAMkoFBexZoBq////O+woAlxQRGjHLxMv/yDCCXOEwg/KNFH/rc38y/lESPWh21AD70CRcDuQRlGSS/r" +
  "//MoxAgOqfbEyY84AGJi+J1XJd3BW3xkvu38cmDggzkFIOy42cbke////nFCZYv0Jv+f/njw4nzZn/3kih7xIgBEpHBAERKB" +
  "//MoxAgOqrrmX8EQA//eRDj5P20r1//6H0////zo37P6f7f/////Od0ZyECC3mIpydnWiqDHaeZJA5UD28Db3UWIdYAAAQgQ" +
  "//MoxAgLcR7fGsAE0P/vKfWCqiVkMQ0aKJAsSUg190KVtIAgS99rtYO7eW/If/TDC3+tCIgyhwAGDAVqToyId4Sp0Y0Co59A" +
  "//MoxBUL4GLjCAZeCJs8WFDzZLyu0Lm///+0XBNRf9AnDjTv/iyo1dprXgAASSSgD+Akc4arXJAu1OnwehYm8c7in0+vWoxn" +
  "//MoxCANIGMef08QAn//+ouGjLPjEiRBEe7/sBQDAS7+hcoa2/12Hn1lUFrDT0WDipUNXL0qDNuWIRjrh6Lf////6RKjs5sX" +
  "//MoxCYWEkbEAZhoAIetBxPCSWylqJ5qO17IlEfkTA4YmTo2d/OGin9a0foGqBiXi+pdanS5KnEaU2TS5rGDFYEQBDaUlzkD" +
  "//MoxAgNAR7I08soAM4wvaeSEQdROF0KLOt/////pQiiA4WEAIcRIIiTPFFGoJjKBKGv/2poK/qrZjZcA95wADZ6E1GS8THw" +
  "//MoxA8NCQb2V0dAApmlWQHRjJ////9JtlIAAAr4rLSCq3pSWs9wbJf/9U0q/7hdTgkqwSoDKAnHMBjQxYFJMHEagag8AqrC" +
  "//MoxBURQYrAAYxQACSeOP//ygrg26jEF5GFkWBaEklFxIRHkw+KlDZxMQqb////UsGtTTtQeJVnnez1lZCdPCdJ8nZPUkNM" +
  "//MoxAsO4YawAY84AHqOssAcpbCeo1k0JOb/rUcEWp4PBkCI+JJhQStSDH5pQmdnGt/////QqgNZ49+tnoosxkmySE+S8k9V" +
  "//MoxAoO+NawAY9oAIJieYK0X7lOa60qqf+5IjfUmMJlweQpjchjIPLxZEgb//UL6e7wadigj5g0k270u6QNhPNMJODSNYwk" +
  "//MoxAkPSkbUAYwoAQBHOJja0247+43X4n///5xEPprEQv+LuwuAgIPCY8gmwgAn//UXKKi4p7C3/537/hxRkH2qmbn4AAXu" +
  "//MoxAYMWZ8WV8gQAoA+AIoUfqD45gEnuAXLD1//////////2WS66fvohDEBpBm7ZOkXEFeqJr0VpHgAHuIZiYokhYpECfcO" +
  "//MoxA8MofrdoUsQAuPvROnNv//////////rIchCmb/R6irh2WK07atimhSLDepxRda7t8DgDgEAALNJpcAABEOUrXQqACAo" +
  "//MoxBcSWh8af4k4A4VR54kfm84xv9G/8xqN////UmEQiPzXIN5qWNHDy9zh+UKHp3nI6+wtOzL+LS7ieX/larjkkSKZCGZh" +
  "//MoxAgNKZoEAckQAFBElgiRbe////////////zGqV5SlKxjMZ1CiWDATBgIOiV34iDolW4tOrOxFUxBTUUzLjEwMFVVVVVV";

export const checkSpeechModel: Effect.Effect<ModelCheck, never, SpeechClient> = SpeechClient.use((client) =>
  timed(
    Effect.map(
      client.transcribe({
        audio: new Blob([Buffer.from(SPOKEN, "base64")], { type: "audio/mpeg" }),
        filename: "check.mp3",
        soundSeconds: SPOKEN_SECONDS,
        language: "en"
      }),
      ({ text, segments }) => (segments.map((segment) => segment.text).join(" ") || text).trim()
    )
  )
).pipe(
  Effect.catchTags({
    Failed: ({ reason, message }) =>
      Effect.succeed(failed(reason === "speech_timeout" ? "silent" : "other", message)),
    TranscriptionRefused: ({ failure }) => Effect.succeed(failed("other", failure.message)),
    InputTooLong: () => Effect.succeed(failed("other", "The speech model cannot read a second of sound."))
  })
);
