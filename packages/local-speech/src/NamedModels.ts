/**
 * The local speech models that `winnow models` knows.
 *
 * Every file has a fixed address (a commit, never a branch), its size and its SHA-256. Those of the recognisers are
 * the ones that Hugging Face publishes for these commits, as independent projects record them; that of the voice
 * detector was computed from the file. Tests: SpeechModels.test.ts.
 */
export interface ModelFile {
  /** In the model's folder. */
  readonly name: string;
  readonly url: string;
  readonly sizeBytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

export interface NamedModel {
  readonly name: string;
  readonly languages: string;
  readonly license: string;
  readonly files: ReadonlyArray<ModelFile>;
}

const HUGGING_FACE = "https://huggingface.co/csukuangfj";

type Pinned = readonly [name: string, sizeBytes: number, sha256: string];

const at = (base: string, files: ReadonlyArray<Pinned>): ReadonlyArray<ModelFile> =>
  files.map(([name, sizeBytes, sha256]) => ({ name, url: `${base}/${name}`, sizeBytes, sha256 }));

/** Size and checksum. */
const WHISPER_TOKENS = [816_730, "b34b360dbb493e781e479794586d661700670d65564001f23024971d1f2fa126"] as const;

/** `encoder` and `decoder`: size and checksum. */
const whisper = (
  size: string,
  commit: string,
  encoder: readonly [number, string],
  decoder: readonly [number, string]
): NamedModel => ({
  name: `whisper-${size}`,
  languages: "99 languages",
  license: "MIT",
  files: at(`${HUGGING_FACE}/sherpa-onnx-whisper-${size}/resolve/${commit}`, [
    [`${size}-encoder.int8.onnx`, ...encoder],
    [`${size}-decoder.int8.onnx`, ...decoder],
    [`${size}-tokens.txt`, ...WHISPER_TOKENS]
  ])
});

/** Silero's voice activity detector, which decides what the recogniser hears. */
export const VOICE_DETECTOR: NamedModel = {
  name: "silero-vad",
  languages: "any",
  license: "MIT",
  files: at(
    "https://raw.githubusercontent.com/snakers4/silero-vad/806dcba3f0b5d95282d0889a074954a2f8c6397b/src/silero_vad/data",
    [["silero_vad.onnx", 2_327_524, "1a153a22f4509e292a94e67d6f9b85e8deb25b4988682b7e174c65279d8788e3"]]
  )
};

export const NAMED_MODELS: ReadonlyArray<NamedModel> = [
  whisper(
    "tiny",
    "65176e2deb88badc814a94058666cadccc29b61c",
    [12_937_772, "d24fb083ae3b1041fc24e97971d60e280c9342201fbb67b0ab428a8b4a51a434"],
    [89_855_401, "d2fece8dd42771f1df975c6c0445770d0c292bf7547c2cae04a6c0cc57540925"]
  ),
  whisper(
    "base",
    "bb53ee204431c90d314c1cc08d28d23e5b7927cc",
    [29_120_534, "0b8fb1304b6109976038efff5ace81720e00386f3ff6b54ee8c75291ca0a1e11"],
    [130_672_026, "9759d217388a01b3a4c7c15533201067b48ae819c4daafc8624e64b9409dc02d"]
  ),
  whisper(
    "small",
    "8f3c18b358db4d1f2fc1eae49d75cd20989e4309",
    [112_442_483, "4cbe7b22fa9026b843b60a68640c747de05bafb1a11b57edc0e66c232d9f33a9"],
    [262_226_114, "acad50b5c782696e91b55914cc5ab4f756f1532f76e22aa6fc615f39fb69a8ee"]
  ),
  {
    name: "parakeet-v3",
    languages: "25 European languages",
    license: "CC-BY-4.0",
    files: at(
      `${HUGGING_FACE}/sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8/resolve/2bda32ec70b097a55adaa07d9a7173915b43cc78`,
      [
        [
          "encoder.int8.onnx",
          652_184_281,
          "acfc2b4456377e15d04f0243af540b7fe7c992f8d898d751cf134c3a55fd2247"
        ],
        ["decoder.int8.onnx", 11_845_275, "179e50c43d1a9de79c8a24149a2f9bac6eb5981823f2a2ed88d655b24248db4e"],
        ["joiner.int8.onnx", 6_355_277, "3164c13fc2821009440d20fcb5fdc78bff28b4db2f8d0f0b329101719c0948b3"],
        ["tokens.txt", 93_939, "d58544679ea4bc6ac563d1f545eb7d474bd6cfa467f0a6e2c1dc1c7d37e3c35d"]
      ]
    )
  }
];
