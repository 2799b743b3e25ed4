import { writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Tensor types by their numbers in the format. */
const TYPES = { float32: 1, int64: 7 } as const;

interface Value {
  readonly name: string;
  readonly type?: keyof typeof TYPES;
  /** A word is a dynamic dimension. */
  readonly shape: readonly (number | string)[];
}

interface Operation {
  readonly type: string;
  readonly inputs: readonly string[];
  readonly output: string;
  /** Integers, or lists of them. */
  readonly attributes?: Readonly<Record<string, number | readonly number[]>>;
}

interface Graph {
  readonly inputs: readonly Value[];
  readonly operations: readonly Operation[];
  readonly outputs: readonly Value[];
}

/** Field numbers of ONNX's protobuf messages (onnx.proto3). */
const IR_VERSION = 8;
const OPSET = 13;

/** Writes a model of a few operations to its own folder; returns its path. */
export async function writeOnnxModel(graph: Graph): Promise<string> {
  const nodes = graph.operations.map((operation) => message(1, nodeOf(operation)));
  const inputs = graph.inputs.map((value) => message(11, typedValue(value)));
  const outputs = graph.outputs.map((value) => message(12, typedValue(value)));
  const model = [
    number(1, IR_VERSION),
    message(7, [...nodes, text(2, "test"), ...inputs, ...outputs]),
    message(8, [text(1, ""), number(2, OPSET)]),
  ];
  const path = join(await mkdtemp(join(tmpdir(), "parley-onnx-")), "model.onnx");
  writeFileSync(path, Buffer.concat(model));
  return path;
}

const PROBABILITY = { name: "finished", shape: [1, 1] } as const;

/** Takes loud audio for finished: the mean absolute sample value, from 0 to 1. */
export function loudnessModel(shape: Value["shape"], output: Value = PROBABILITY): Graph {
  return {
    inputs: [{ name: "audio", shape }],
    operations: [
      { type: "Abs", inputs: ["audio"], output: "amounts" },
      {
        ...{ type: "ReduceMean", inputs: ["amounts"], output: output.name },
        attributes: { axes: [1], keepdims: 1 },
      },
    ],
    outputs: [output],
  };
}

/** Returns the mean of all features as a probability. */
export function meanOfFeaturesModel(shape: Value["shape"]): Graph {
  return {
    inputs: [{ name: "input_features", shape }],
    operations: [
      {
        ...{ type: "ReduceMean", inputs: ["input_features"], output: "mean" },
        attributes: { axes: [1, 2], keepdims: 0 },
      },
      { type: "Sigmoid", inputs: ["mean"], output: "finished" },
    ],
    outputs: [{ name: "finished", shape: [1] }],
  };
}

function nodeOf({ type, inputs, output, attributes = {} }: Operation): Buffer[] {
  return [
    ...inputs.map((name) => text(1, name)),
    text(2, output),
    text(4, type),
    ...Object.entries(attributes).map(([name, value]) => message(5, attributeOf(name, value))),
  ];
}

function attributeOf(name: string, value: number | readonly number[]): Buffer[] {
  if (typeof value === "number") return [text(1, name), number(3, value), number(20, 2)];
  return [text(1, name), ...value.map((one) => number(8, one)), number(20, 7)];
}

function typedValue({ name, type = "float32", shape }: Value): Buffer[] {
  const sizes = shape.map((size) => message(1, [typeof size === "string" ? text(2, size) : number(1, size)]));
  return [text(1, name), message(2, [message(1, [number(1, TYPES[type]), message(2, sizes)])])];
}

function message(field: number, parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([varint(field * 8 + 2), varint(body.length), body]);
}

function text(field: number, value: string): Buffer {
  return message(field, [Buffer.from(value)]);
}

function number(field: number, value: number): Buffer {
  return Buffer.concat([varint(field * 8), varint(value)]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}
