/** Ways in which a webhook receiver can misbehave, written to sockets byte by byte. */
import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";

export interface HostileAnswer {
  /** Called once the whole request has arrived, or at the start of a connection without TLS. */
  readonly answer: (socket: Socket, inside: string) => void;
  /** The entry in the delivery log: a status, an error message, or none until the time limit. */
  readonly comesTo: number | RegExp;
  readonly isPlain?: boolean;
}

const NEVER = /No response within 10 seconds/u;
const DAMAGED = /response is malformed/u;
const CLOSED = /closed the connection early/u;

const DRIP_EVERY_MS = 20;
const FLOOD_EVERY_MS = 5;

/** Repeats until the connection is closed. */
const endlessly = (socket: Socket, everyMs: number, next: () => string | Uint8Array): void => {
  const timer = setInterval(() => {
    if (socket.writable && !socket.writableNeedDrain) socket.write(next());
  }, everyMs);
  socket.once("close", () => clearInterval(timer));
};

const OK = "HTTP/1.1 200 OK\r\n";

const says =
  (...lines: ReadonlyArray<string>) =>
  (socket: Socket) =>
    void socket.write(`${lines.join("\r\n")}\r\n\r\n`);

const text = (bytes: string) => (socket: Socket) => void socket.end(bytes);

const bomb = gzipSync(Buffer.alloc(2 ** 26));

const CHUNK_64_KIB = Buffer.alloc(65_536, "x");

export const HOSTILE_ANSWERS: Readonly<Record<string, HostileAnswer>> = {
  "says nothing at all": { answer: () => {}, comesTo: NEVER },
  "takes the connection and begins no TLS": {
    answer: () => {},
    comesTo: /took too long|No response within/u,
    isPlain: true
  },
  "drips its head": {
    answer: (socket) => {
      const head = [..."HTTP/1.1 200 OK\r\nX-A: ", ..."a".repeat(10_000)];
      endlessly(socket, DRIP_EVERY_MS, () => head.shift() ?? "a");
    },
    comesTo: NEVER
  },
  "drips its body": {
    answer: (socket) => {
      socket.write(`${OK}Content-Length: 1000000\r\n\r\n`);
      endlessly(socket, DRIP_EVERY_MS, () => ".");
    },
    comesTo: NEVER
  },
  "never ends a body that it began": {
    answer: (socket) => void socket.write(`${OK}Content-Length: 10\r\n\r\nhalf`),
    comesTo: NEVER
  },
  "closes within its head": { answer: text("HTTP/1.1 200 OK\r\nContent-Le"), comesTo: CLOSED },
  "closes within its body": { answer: text(`${OK}Content-Length: 100\r\n\r\nhalf`), comesTo: CLOSED },
  "destroys its connection within its body": {
    answer: (socket) => void socket.write(`${OK}Content-Length: 100\r\n\r\nhalf`, () => socket.destroy()),
    comesTo: CLOSED
  },
  "has one giant header": {
    answer: says(OK.trim(), `X-A: ${"a".repeat(10_000_000)}`),
    comesTo: DAMAGED
  },
  "has headers without end": {
    answer: (socket) => {
      socket.write(OK);
      endlessly(socket, FLOOD_EVERY_MS, () => `X-${Math.random()}: ${"a".repeat(1_000)}\r\n`);
    },
    comesTo: DAMAGED
  },
  "has a status line without end": {
    answer: (socket) => {
      socket.write("HTTP/1.1 200 ");
      endlessly(socket, FLOOD_EVERY_MS, () => "O".repeat(4_000));
    },
    comesTo: NEVER
  },
  "has a giant body": {
    answer: (socket) => {
      socket.write(`${OK}Content-Length: 100000000000\r\n\r\n`);
      endlessly(socket, FLOOD_EVERY_MS, () => CHUNK_64_KIB);
    },
    comesTo: 200
  },
  "has a body without end, in pieces of a byte": {
    answer: (socket) => {
      socket.write(`${OK}Transfer-Encoding: chunked\r\n\r\n`);
      endlessly(socket, FLOOD_EVERY_MS, () => "1;a=b\r\nx\r\n".repeat(1_000));
    },
    comesTo: 200
  },
  "redirects to the inside": {
    answer: (socket, inside) =>
      void socket.end(`HTTP/1.1 307 T\r\nLocation: ${inside}/hook\r\nContent-Length: 0\r\n\r\n`),
    comesTo: 307
  },
  "asks for the inside in every header that leads somewhere": {
    answer: (socket, inside) =>
      void socket.end(
        `${OK}Location: ${inside}\r\nRefresh: 0;url=${inside}\r\nLink: <${inside}>;rel=preload\r\nAlt-Svc: h3="127.0.0.1:443"\r\nContent-Length: 0\r\n\r\n`
      ),
    comesTo: 200
  },
  "sends interim answers without end": {
    answer: (socket) =>
      endlessly(socket, FLOOD_EVERY_MS, () => "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".repeat(10)),
    comesTo: NEVER
  },
  "asks to go on, without end": {
    answer: (socket) => endlessly(socket, FLOOD_EVERY_MS, () => "HTTP/1.1 100 Continue\r\n\r\n".repeat(10)),
    comesTo: CLOSED
  },
  "switches to another protocol": {
    answer: says("HTTP/1.1 101 Switching Protocols", "Connection: Upgrade", "Upgrade: websocket"),
    comesTo: CLOSED
  },
  "has pieces of no size": {
    answer: text(`${OK}Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n`),
    comesTo: DAMAGED
  },
  "has pieces larger than any number": {
    answer: text(`${OK}Transfer-Encoding: chunked\r\n\r\n${"f".repeat(30)}\r\nabc\r\n`),
    comesTo: DAMAGED
  },
  "has two lengths": {
    answer: text(`${OK}Content-Length: 1\r\nContent-Length: 5\r\n\r\nabcde`),
    comesTo: DAMAGED
  },
  "has a length and pieces": {
    answer: text(`${OK}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`),
    comesTo: DAMAGED
  },
  "has a status that is none": { answer: text("HTTP/1.1 99999 OK\r\n\r\n"), comesTo: DAMAGED },
  "answers a hundred times": {
    answer: text(`${OK}Content-Length: 2\r\n\r\nhi`.repeat(100)),
    comesTo: 200
  },
  "has a body that unpacks to 64 MB": {
    answer: (socket) => {
      socket.write(`${OK}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`);
      socket.end(bomb);
    },
    comesTo: 200
  },
  "speaks HTTP/2": {
    answer: (socket) => void socket.end(Buffer.from("000006040000000000000300000064", "hex")),
    comesTo: DAMAGED
  },
  "speaks no TLS": {
    answer: text("220 mail.example.org ESMTP\r\n"),
    comesTo: /TLS handshake with the server failed/u,
    isPlain: true
  },
  "breaks off its TLS by an alert": {
    answer: (socket) => void socket.once("data", () => socket.end(Buffer.from("15030300020228", "hex"))),
    comesTo: /TLS|closed/u,
    isPlain: true
  },
  "begins its TLS and sends rubbish": {
    answer: (socket) =>
      void socket.once("data", () =>
        socket.end(Buffer.concat([Buffer.from("1603030050", "hex"), Buffer.alloc(80, 0xff)]))
      ),
    comesTo: /TLS|closed/u,
    isPlain: true
  },
  "begins a record of TLS that never ends": {
    answer: (socket) => void socket.once("data", () => socket.write(Buffer.from("16030340000200", "hex"))),
    comesTo: /took too long|No response within/u,
    isPlain: true
  }
};
