import { Page } from '../../ui/Page.js';

export function FeedPage() {
  return <Page title="Feed">{null}</Page>;
}
