/** Writes ONNX models (onnx.proto3): as much of the format as the models of these tests need. */

type Field = Buffer;

const varint = (value: number): Buffer => {
  const bytes: Array<number> = [];
  let rest = BigInt(value);
  if (rest < 0n) rest += 2n ** 64n;
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
};

const whole = (field: number, value: number): Field => Buffer.concat([varint(field << 3), varint(value)]);

const bytes = (field: number, value: string | Uint8Array): Field => {
  const content = Buffer.from(value);
  return Buffer.concat([varint((field << 3) | 2), varint(content.length), content]);
};

const message = (field: number, ...fields: ReadonlyArray<Field>): Field =>
  bytes(field, Buffer.concat(fields));

const TYPES = { float: 1, int32: 6, int64: 7 } as const;
type Type = keyof typeof TYPES;

/** A tensor of the model itself, by name. */
export interface Constant {
  readonly name: string;
  readonly shape: ReadonlyArray<number>;
  readonly values: ReadonlyArray<number>;
}

/** Input or output; a dimension with a name may have any size. */
export interface Port {
  readonly name: string;
  readonly type: Type;
  readonly shape: ReadonlyArray<number | string>;
}

export interface Node {
  readonly op: string;
  readonly inputs: ReadonlyArray<string>;
  readonly output: string;
  readonly attributes?: Readonly<Record<string, number | ReadonlyArray<number>>>;
}

export interface Graph {
  readonly inputs: ReadonlyArray<Port>;
  readonly outputs: ReadonlyArray<Port>;
  readonly constants: ReadonlyArray<Constant>;
  readonly nodes: ReadonlyArray<Node>;
  readonly metadata: Readonly<Record<string, string>>;
}

const portField = (field: number, { name, shape, type }: Port): Field =>
  message(
    field,
    bytes(1, name),
    message(
      2,
      message(
        1,
        whole(1, TYPES[type]),
        message(
          2,
          ...shape.map((size) => message(1, typeof size === "number" ? whole(1, size) : bytes(2, size)))
        )
      )
    )
  );

const constantField = ({ name, shape, values }: Constant): Field =>
  message(
    5,
    ...shape.map((size) => whole(1, size)),
    whole(2, TYPES.float),
    bytes(8, name),
    bytes(9, new Uint8Array(Float32Array.from(values).buffer))
  );

const ATTRIBUTE_INT = 2;
const ATTRIBUTE_INTS = 7;

const nodeField = ({ attributes = {}, inputs, op, output }: Node): Field =>
  message(
    1,
    ...inputs.map((input) => bytes(1, input)),
    bytes(2, output),
    bytes(4, op),
    ...Object.entries(attributes).map(([name, value]) =>
      typeof value === "number"
        ? message(5, bytes(1, name), whole(3, value), whole(20, ATTRIBUTE_INT))
        : message(5, bytes(1, name), ...value.map((each) => whole(8, each)), whole(20, ATTRIBUTE_INTS))
    )
  );

const IR_VERSION = 8;
const OPSET = 13;

export const onnxModel = ({ constants, inputs, metadata, nodes, outputs }: Graph): Buffer =>
  Buffer.concat([
    whole(1, IR_VERSION),
    message(
      7,
      ...nodes.map(nodeField),
      bytes(2, "graph"),
      ...constants.map(constantField),
      ...inputs.map((port) => portField(11, port)),
      ...outputs.map((port) => portField(12, port))
    ),
    message(8, whole(2, OPSET)),
    ...Object.entries(metadata).map(([key, value]) => message(14, bytes(1, key), bytes(2, value)))
  ]);
