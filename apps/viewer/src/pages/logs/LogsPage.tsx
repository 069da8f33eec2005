import { Page } from '../../ui/Page.js';

export function LogsPage() {
  return <Page title="Logs">{null}</Page>;
}
