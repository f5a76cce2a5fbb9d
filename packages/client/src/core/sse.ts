/**
 * Parses a stream of server-sent events (WHATWG HTML, "Interpreting an event stream"). An incomplete event at
 * the end is discarded.
 */
import { piecesOf } from "./body.ts";

/** A parsed event. */
export interface ServerSentEvent {
  /** `message` if the stream does not name one. */
  readonly event: string;
  readonly data: string;
}

/** Maximum characters of one event. A result has some hundred thousand. */
const EVENT_LENGTH_MAX = 16_777_216;

export class EventParser {
  private rest = "";
  private length = 0;
  private event = "";
  private data: Array<string> = [];

  /** The events completed by the text. Throws RangeError if an event is too long. */
  push(text: string): Array<ServerSentEvent> {
    const events: Array<ServerSentEvent> = [];
    // A CR at the end may be half of a CRLF.
    const whole = this.rest + text;
    const open = whole.endsWith("\r") ? 1 : 0;
    const lines = whole.slice(0, whole.length - open).split(/\r\n|\n|\r/u);
    this.rest = `${lines.pop() ?? ""}${"\r".repeat(open)}`;
    for (const line of lines) {
      if (line === "") this.dispatch(events);
      else this.read(line);
    }
    if (this.length + this.rest.length > EVENT_LENGTH_MAX) throw new RangeError("The event is too long.");
    return events;
  }

  private read(line: string): void {
    this.length += line.length;
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /u, "");
    if (field === "data") this.data.push(value);
    else if (field === "event") this.event = value;
  }

  private dispatch(events: Array<ServerSentEvent>): void {
    if (this.data.length > 0) {
      events.push({ event: this.event || "message", data: this.data.join("\n") });
    }
    this.event = "";
    this.data = [];
    this.length = 0;
  }
}

/** The data of every event of a response. */
export async function* dataOf(response: Response): AsyncGenerator<string> {
  const parser = new EventParser();
  for await (const text of piecesOf(response, "The event stream was")) {
    for (const { data } of parser.push(text)) yield data;
  }
}
