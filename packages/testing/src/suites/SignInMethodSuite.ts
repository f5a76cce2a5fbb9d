/** What every sign-in method promises, of people that the caller names. Run by methods.test.ts. */
import { assert, describe, it } from "@effect/vitest";
import type { Identity } from "@winnow/core/domain/access/Member";
import type { SignInMethod, SignInRefused, SignInRequest } from "@winnow/core/ports/SignInMethod";
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";

const PENDING_CHARS_MAX = 2_000;

export interface SignInCase {
  readonly method: SignInMethod;
  /** Of a person. */
  readonly request: SignInRequest;
  /** Of nobody, or not allowed. Null if everybody may begin. */
  readonly refused: SignInRequest | null;
  /** What the person does elsewhere; resolves with the URL that their browser returns to. */
  readonly signInAt?: (url: string) => Promise<string>;
}

const identify = Effect.fnUntraced(function* ({ method, request, signInAt }: SignInCase) {
  const begun = yield* method.begin(request);
  assert.strictEqual(begun._tag, method.isAutomatic ? "Known" : "Away");
  if (begun._tag === "Known") return begun.identity;
  assert.isAtMost(begun.pending.length, PENDING_CHARS_MAX);
  const { url, pending } = begun;
  const answerUrl = yield* Effect.promise(() => signInAt?.(url) ?? Promise.reject(new Error("signInAt")));
  return yield* method.finish(answerUrl, pending);
});

const assertToldPlainly = ({ message }: SignInRefused): void => {
  assert.match(message, /^[A-Z].*\.$/u);
  assert.notMatch(message, /https?:|Error/u);
};

export const suite = (name: string, open: Effect.Effect<SignInCase, never, Scope.Scope>): void => {
  const test = (title: string, use: (given: SignInCase) => Effect.Effect<void, SignInRefused>) =>
    it.live(title, () => Effect.scoped(Effect.flatMap(open, use)));

  describe(`SignInMethod: ${name}`, () => {
    test("it has a name for paths, a label and an issuer", ({ method }) =>
      Effect.sync(() => {
        assert.match(method.name, /^[a-z][a-z0-9-]*$/u);
        assert.match(method.label, /\S/u);
        assert.match(method.issuer, /\S/u);
      }));

    test("the same person is the same identity of its issuer each time", (given) =>
      Effect.gen(function* () {
        const first: Identity = yield* identify(given);
        assert.strictEqual(first.issuer, given.method.issuer);
        assert.match(first.subject, /\S/u);
        assert.deepStrictEqual(yield* identify(given), first);
      }));

    test("who is not named is refused in one sentence", ({ method, refused }) =>
      refused === null
        ? Effect.void
        : Effect.map(Effect.flip(method.begin(refused)), assertToldPlainly).pipe(Effect.orDie));

    test("an answer that no sign-in here began is refused", ({ method, request }) =>
      method.isAutomatic
        ? Effect.void
        : Effect.gen(function* () {
            const forged = `${request.callbackUrl}?code=forged&state=forged`;
            for (const pending of ["", "{}", "x".repeat(PENDING_CHARS_MAX)]) {
              const error = yield* Effect.flip(method.finish(forged, pending));
              assert.strictEqual(error.reason, "answer_refused");
              assertToldPlainly(error);
            }
          }).pipe(Effect.orDie));

    test("a session stays with its person while requests name nobody else", (given) =>
      Effect.gen(function* () {
        const { subject } = yield* identify(given);
        assert.isTrue(given.method.isStill(given.request, subject));
        assert.isTrue(given.method.isStill({ ...given.request, headers: {} }, subject));
      }));
  });
};
