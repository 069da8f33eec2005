/** How one vendor speaks HTTP: what a fake needs to read its requests and to write its answers. */
export interface WireDialect {
  readonly name: string;
  readRequest(request: IncomingRequest): ReadRequest;
  /** The streamed answer, whole events as chunks: several of them even for a short text. */
  writeReply(reply: WireReply): WrittenReply;
  writeError(error: WireError): WrittenError;
  /** An event that reports a failure in the middle of a stream that began well. */
  writeErrorEvent(error: { kind: WireErrorKind; message: string }): string;
  /** A well-formed 200 in which what carries the answer (message, candidates, choices) is missing. */
  writeHollowReply(): WrittenReply;
}

export interface IncomingRequest {
  /** With the query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  /** Parsed JSON; the text itself when it is none. */
  body: unknown;
}

/** What was asked, whoever asked it. */
export interface ReadRequest {
  instructions: string;
  prompt: string;
  model: string;
  hasTools: boolean;
  /** How many messages it carries, the instructions not counted. */
  messages: number;
  key: string | null;
}

export interface WireUsage {
  /** All of the request, cached tokens included, as in `CallUsage`. */
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
}

export interface WireReply {
  text: string;
  usage: WireUsage;
  stop: WireStop;
  model: string;
}

export type WireStop = 'end' | 'max-tokens' | 'refusal';

export interface WireError {
  status: number;
  kind: WireErrorKind;
  message: string;
  /** As the vendor says it: a header, or a part of the body. */
  retryAfterSeconds?: number;
}

export type WireErrorKind =
  'bad-request' | 'too-long' | 'auth' | 'quota' | 'rate-limit' | 'overloaded' | 'not-found';

export interface WrittenReply {
  status: number;
  headers: Record<string, string>;
  chunks: string[];
}

export interface WrittenError {
  status: number;
  headers: Record<string, string>;
  body: string;
}
