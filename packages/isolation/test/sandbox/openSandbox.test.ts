import { randomUUID } from "node:crypto";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Logger from "effect/Logger";
import { openSandbox, type SandboxSetting } from "../../src/sandbox/Sandbox.ts";

describe("a sandbox that does not work", () => {
  const open = (setting: SandboxSetting, path: string, warnings: Array<unknown>) =>
    openSandbox(setting, path).pipe(
      Effect.provide(Logger.layer([Logger.make(({ message }) => void warnings.push(message))]))
    );

  it.effect("is warned of once, however many programs need it", () =>
    Effect.gen(function* () {
      const warnings: Array<unknown> = [];
      const path = `/without-programs/${randomUUID()}`;
      for (let program = 0; program < 3; program += 1) assert.isNull(yield* open("auto", path, warnings));
      assert.lengthOf(warnings, 1);
      assert.match(String(warnings[0]), /^Programs run without a sandbox: .+ To enable it: .+\.$/u);
    })
  );

  it.effect("is an error where it is required, and nothing where it is off", () =>
    Effect.gen(function* () {
      const warnings: Array<unknown> = [];
      const path = `/without-programs/${randomUUID()}`;
      const { message } = yield* Effect.flip(open("required", path, warnings));
      assert.match(message, /^The sandbox does not work: .+ To fix it: .+\.$/u);
      assert.isNull(yield* open("off", path, warnings));
      assert.lengthOf(warnings, 0);
    })
  );
});
