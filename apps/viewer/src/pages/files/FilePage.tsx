import { Page } from '../../ui/Page.js';

export function FilePage() {
  return <Page title="Files">{null}</Page>;
}
