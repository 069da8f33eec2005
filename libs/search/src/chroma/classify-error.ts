/**
 * The meaning of a client error. `away`: no answer, or the server is temporarily unavailable. `denied`: wrong token
 * or permissions. `missing`: the collection, tenant or database does not exist. `mismatch`: the vectors have another
 * size than those of the collection. `refused`: any other rejected request.
 */
export type ChromaFailure = 'away' | 'denied' | 'missing' | 'mismatch' | 'refused';

/** Compared by name, because the package with the classes is loaded only when it is used. */
export function classifyChromaError(error: unknown): ChromaFailure {
  if (!(error instanceof Error)) return 'away';
  switch (error.name) {
    case 'ChromaAuthError':
    case 'ChromaForbiddenError':
      return 'denied';
    case 'ChromaNotFoundError':
    case 'InvalidCollectionError':
      return 'missing';
    case 'ChromaClientError':
    case 'ChromaValueError':
    case 'InvalidArgumentError':
    case 'ChromaUniqueError':
      return /\bdimension/i.test(error.message) ? 'mismatch' : 'refused';
    case 'ChromaServerError':
      // A proxy reports with this text that the server is not reachable. With another text, the server is running and
      // rejected this request.
      return /^50[234]: /.test(error.message) ? 'away' : 'refused';
    default:
      return 'away';
  }
}
