/** The HTTP API of one vendor: how a fake reads its requests and writes its answers. */
export interface WireDialect {
  readonly name: string;
  readRequest(request: IncomingRequest): ReadRequest;
  /** The streamed answer with one event per chunk, several chunks even for a short text. */
  writeReply(reply: WireReply): WrittenReply;
  writeError(error: WireError): WrittenError;
  /** An event that reports a failure in the middle of a stream. */
  writeErrorEvent(error: { kind: WireErrorKind; message: string }): string;
  /** A well-formed response with status 200 whose answer field (message, candidates, choices) is missing. */
  writeHollowReply(): WrittenReply;
}

export interface IncomingRequest {
  /** With the query string. */
  path: string;
  headers: Readonly<Record<string, string>>;
  /** Parsed JSON, or the text if it is not JSON. */
  body: unknown;
}

/** The request in a vendor-neutral form. */
export interface ReadRequest {
  instructions: string;
  prompt: string;
  model: string;
  hasTools: boolean;
  /** The number of messages without the instructions. */
  messages: number;
  key: string | null;
}

export interface WireUsage {
  /** All tokens of the request, including cached ones, as in `CallUsage`. */
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
  /** As the vendor reports it: a header or a part of the body. */
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
