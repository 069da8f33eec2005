import { getRouteApi } from '@tanstack/react-router';
import { FileHistory } from './FileHistory.js';
import { FileList } from './FileList.js';

const route = getRouteApi('/files');

/** The list of files, or the history of the file in the URL. */
export function FilePage() {
  const { path, project } = route.useSearch();
  if (path === '') return <FileList key="list" project={project} />;
  return (
    <FileHistory
      key={JSON.stringify([path, project])}
      path={path}
      {...(project === undefined ? {} : { project })}
    />
  );
}
