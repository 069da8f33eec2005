import { Page } from '../../ui/Page.js';

export function SearchPage() {
  return <Page title="Search">{null}</Page>;
}
