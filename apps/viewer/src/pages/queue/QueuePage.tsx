import { Page } from '../../ui/Page.js';

export function QueuePage() {
  return <Page title="Queue">{null}</Page>;
}
