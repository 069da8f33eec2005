import { Page } from '../../ui/Page.js';

export function SessionPage() {
  return <Page title="Session">{null}</Page>;
}
