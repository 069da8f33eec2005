import { WorkerClientError } from '@claude-mem/worker-protocol';

/** A module of the viewer cannot be loaded: the worker is not reachable, or an update replaced its modules. */
export class ModuleMissingError extends Error {}

/** Loads a module on demand. Rejects with `ModuleMissingError`, or with status 401 when this browser is not signed in. */
export async function loadModule<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (cause) {
    // the browser does not report why a module or a style failed to load
    if ((await documentStatus()) !== 401)
      throw new ModuleMissingError('A part of the viewer is missing.', { cause });
    throw new WorkerClientError('worker-client/refused', 'This browser is not signed in.', {
      cause,
      data: { status: 401 },
    });
  }
}

/** Reloads the page when the worker is reachable, because browsers do not load a failed module again. */
export async function reloadViewer(): Promise<void> {
  if ((await documentStatus()) !== null) location.reload();
}

function documentStatus(): Promise<number | null> {
  return fetch('/', { credentials: 'same-origin', headers: { accept: 'text/html' } }).then(
    ({ status }) => status,
    () => null,
  );
}
