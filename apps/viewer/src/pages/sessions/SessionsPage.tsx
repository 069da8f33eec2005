import { Page } from '../../ui/Page.js';

export function SessionsPage() {
  return <Page title="Sessions">{null}</Page>;
}
