import { WorkerClientError } from '@claude-mem/worker-protocol';

/** A part of the viewer that the worker does not give: it is away, or has other parts since it was updated. */
export class PartMissingError extends Error {}

/**
 * Loads a part of the viewer that comes on demand. Rejects with `PartMissingError`, or as any request does when this browser is not
 * signed in any more.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (cause) {
    // why a module or a style could not be loaded is told to nobody
    if ((await documentStatus()) !== 401)
      throw new PartMissingError('A part of the viewer is missing.', { cause });
    throw new WorkerClientError('worker-client/refused', 'This browser is not signed in.', {
      cause,
      data: { status: 401 },
    });
  }
}

/** Loads the whole viewer anew once the worker answers; parts that failed to load are not tried again by the browser. */
export async function reloadViewer(): Promise<void> {
  if ((await documentStatus()) !== null) location.reload();
}

function documentStatus(): Promise<number | null> {
  return fetch('/', { credentials: 'same-origin', headers: { accept: 'text/html' } }).then(
    ({ status }) => status,
    () => null,
  );
}
