import { assert, describe, it } from "@effect/vitest";
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import { decodeCursor, encodeCursor } from "../../../src/domain/request/Cursor.ts";

const Position = Schema.Struct({
  createdAtMs: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 999_999_999_999_999 })),
  id: Schema.NonEmptyString.check(Schema.isMaxLength(40))
});
const wellFormed = (text: string): boolean => text.isWellFormed();
const position = { createdAtMs: 1_700_000_000_000, id: "ext_1" };

describe("a cursor", () => {
  it.prop("decodes to its position", { account: Schema.String, position: Position }, (given) => {
    if (!wellFormed(given.position.id)) return;
    const cursor = encodeCursor(given.account, given.position);
    assert.match(cursor, /^[\w-]+$/u);
    assert.deepStrictEqual(decodeCursor(given.account, cursor), Result.succeed(given.position));
  });

  it("of another account or another list is refused", () => {
    const cursor = encodeCursor("acc_1", position);
    assert.isTrue(Result.isFailure(decodeCursor("acc_2", cursor)));
    assert.isTrue(Result.isFailure(decodeCursor("acc_1", cursor, "ledger")));
    assert.isTrue(Result.isSuccess(decodeCursor("acc_1", cursor, "extractions")));
  });

  it("with any character changed, added or removed is rejected, naming the parameter", () => {
    const cursor = encodeCursor("acc_1", position);
    for (let at = 0; at < cursor.length; at++) {
      const other = cursor[at] === "A" ? "B" : "A";
      for (const middle of [other, "", `${cursor[at]}A`]) {
        const tampered = cursor.slice(0, at) + middle + cursor.slice(at + 1);
        const answer = decodeCursor("acc_1", tampered);
        assert.isTrue(Result.isFailure(answer), `position ${at}: ${tampered}`);
        if (Result.isFailure(answer)) assert.deepStrictEqual(answer.failure.details, { param: "cursor" });
      }
    }
  });

  it("in another spelling of the same bytes is refused", () => {
    const cursor = encodeCursor("acc_1", { createdAtMs: 1, id: "ab" });
    const bytes = Buffer.from(cursor, "base64url");
    for (const spelling of [`${cursor}=`, bytes.toString("hex"), ` ${cursor}`, `${cursor}\n`]) {
      assert.isTrue(Result.isFailure(decodeCursor("acc_1", spelling)), spelling);
    }
  });

  it.prop("is not accepted from arbitrary text", { text: Schema.String }, ({ text }) => {
    assert.isTrue(Result.isFailure(decodeCursor("acc_1", text)));
  });

  it("that is far too long is rejected without decoding", () => {
    assert.isTrue(Result.isFailure(decodeCursor("acc_1", "A".repeat(1_000_000))));
  });
});
