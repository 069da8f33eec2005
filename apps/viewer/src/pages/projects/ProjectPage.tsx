import { Page } from '../../ui/Page.js';

export function ProjectPage() {
  return <Page title="Project">{null}</Page>;
}
