/**
 * The return type of every method that sends one request: a promise of its data that also gives access to the response.
 * Tests: faults.test.ts.
 */

/** Data with its response, whose body has already been read. */
export interface Answer<A> {
  readonly data: A;
  /** For status and headers, for instance those of the rate limit. */
  readonly response: Response;
  /** `X-Request-Id`, to include in support requests. */
  readonly requestId: string | null;
}

export interface Call<A> extends Promise<A> {
  /** Of the same request: this does not send another one. */
  withResponse(): Promise<Answer<A>>;
}

export const callOf = <A>(answer: Promise<Answer<A>>): Call<A> => {
  const data = answer.then((answered) => answered.data);
  return Object.assign(data, {
    withResponse: (): Promise<Answer<A>> => {
      // Callers of withResponse get the error there, so the other promise must not be an unhandled rejection.
      data.catch(() => undefined);
      return answer.then((answered) => answered);
    }
  });
};
