/**
 * Text of a stream of server-sent events as events (WHATWG HTML, "Interpreting an event stream"). An event
 * that the stream breaks off in is none.
 */

/** An event as it stands in the stream. */
export interface ServerSentEvent {
  /** The last id there was, which may be of an event before. */
  readonly id: string;
  /** `message` when the stream names none. */
  readonly event: string;
  readonly data: string;
}

/** Characters of one event; whoever sends more is not Winnow. A result has some hundred thousand. */
const EVENT_LENGTH_MAX = 16_777_216;

export class EventParser {
  private rest = "";
  private length = 0;
  private id = "";
  private event = "";
  private data: Array<string> = [];

  /** The events that the text completes; throws RangeError when one grows too long. */
  push(text: string): Array<ServerSentEvent> {
    const events: Array<ServerSentEvent> = [];
    // A CR at the end may be the half of a CRLF.
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
    else if (field === "id" && !value.includes("\0")) this.id = value;
  }

  private dispatch(events: Array<ServerSentEvent>): void {
    if (this.data.length > 0) {
      events.push({ id: this.id, event: this.event || "message", data: this.data.join("\n") });
    }
    this.event = "";
    this.data = [];
    this.length = 0;
  }
}
