/** The demo's language model: that of your settings, or a local fake. */
import { type FakeOpenAiServer, startFakeOpenAi } from "@winnow/testing/openai/FakeOpenAiServer";

export interface DemoModel extends AsyncDisposable {
  /** In words, for "read by …". */
  readonly words: string;
  /** Further settings of the server. */
  readonly env: Readonly<Record<string, string>>;
}

/** The server marks what this model reads by its name. */
export const settingsOf = ({ baseUrl }: FakeOpenAiServer) => ({
  OPENAI_API_KEY: "none",
  WINNOW_LLM_BASE_URL: baseUrl,
  WINNOW_LLM_MODEL: "stand-in"
});

/** The real one with OPENAI_API_KEY or WINNOW_LLM_BASE_URL: the server reads these settings itself. */
export const openModel = async (): Promise<DemoModel> => {
  const { OPENAI_API_KEY, WINNOW_LLM_BASE_URL, WINNOW_LLM_MODEL } = process.env;
  if (OPENAI_API_KEY || WINNOW_LLM_BASE_URL) {
    const words = `the language model of your settings${WINNOW_LLM_MODEL ? `, ${WINNOW_LLM_MODEL}` : ""}`;
    return { words, env: {}, [Symbol.asyncDispose]: () => Promise.resolve() };
  }
  const standIn = await startFakeOpenAi();
  return {
    words: "a stand-in for a language model; set OPENAI_API_KEY for a real one",
    env: settingsOf(standIn),
    [Symbol.asyncDispose]: () => standIn.close()
  };
};
