/** What every method that is one request answers with: a promise of its data that knows its response too. */

/** Data with the response it came in, whose body is read already. */
export interface Answer<A> {
  readonly data: A;
  /** For its status and headers, those of the rate limit for instance. */
  readonly response: Response;
  /** `X-Request-Id`, to quote when you ask for help. */
  readonly requestId: string | null;
}

export interface Call<A> extends Promise<A> {
  /** The same request: asking for its response sends nothing anew. */
  withResponse(): Promise<Answer<A>>;
}

export const callOf = <A>(answer: Promise<Answer<A>>): Call<A> => {
  const data = answer.then((answered) => answered.data);
  return Object.assign(data, {
    withResponse: (): Promise<Answer<A>> => {
      // Who asks for the response hears of the error there, and need not look at the other promise.
      data.catch(() => undefined);
      return answer.then((answered) => answered);
    }
  });
};
