/**
 * What an error of the client means for the caller. `away`: no answer, or a server that cannot answer now. `denied`: the
 * token or the rights are wrong. `missing`: a collection, tenant or database is not there. `mismatch`: vectors of another
 * size than those of the collection. `refused`: anything else the server or the client did not take.
 */
export type ChromaFailure = 'away' | 'denied' | 'missing' | 'mismatch' | 'refused';

/** By name: the classes belong to a package that is loaded only when it is used. */
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
      // a proxy's word that nobody is behind it; with other words the server is there and fails on this one request
      return /^50[234]: /.test(error.message) ? 'away' : 'refused';
    default:
      return 'away';
  }
}
