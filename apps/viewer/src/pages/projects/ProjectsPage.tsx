import { Page } from '../../ui/Page.js';

export function ProjectsPage() {
  return <Page title="Projects">{null}</Page>;
}
