import { assert, describe, it } from "@effect/vitest";
import * as Redacted from "effect/Redacted";
import {
  clientOptions,
  endpointOf,
  objectName,
  type S3Location
} from "../../../src/storage/s3/S3Location.ts";

const amazon: S3Location = { bucket: "files", prefix: "", endpoint: null, region: "eu-central-1" };
const own: S3Location = { ...amazon, prefix: "a/b", endpoint: "http://127.0.0.1:9000" };
const keys = { accessKeyId: Redacted.make("id"), secretAccessKey: Redacted.make("key"), sessionToken: null };

const isInPath = (location: S3Location) => clientOptions(location, keys).pathStyle;

describe("a bucket", () => {
  it("is at Amazon's endpoint of its region, or at the given one", () => {
    assert.strictEqual(endpointOf(amazon), "https://s3.eu-central-1.amazonaws.com");
    assert.strictEqual(endpointOf(own), "http://127.0.0.1:9000");
  });

  it("stands in the host name at Amazon, unless no certificate covers that, else in the path", () => {
    assert.deepStrictEqual([amazon, { ...amazon, bucket: "my.files" }, own].map(isInPath), [
      false,
      true,
      true
    ]);
  });

  it("has its objects below the prefix, if there is one", () => {
    assert.deepStrictEqual(
      [amazon, own].map((location) => objectName(location, "ext_1/1/video.mp4")),
      ["ext_1/1/video.mp4", "a/b/ext_1/1/video.mp4"]
    );
  });

  it("gets a session token with temporary credentials only", () => {
    assert.notProperty(clientOptions(own, keys), "sessionToken");
    const temporary = { ...keys, sessionToken: Redacted.make("token") };
    assert.include(clientOptions(own, temporary), { sessionToken: "token" });
  });
});
