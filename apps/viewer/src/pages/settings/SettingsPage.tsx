import { Page } from '../../ui/Page.js';

export function SettingsPage() {
  return <Page title="Settings">{null}</Page>;
}
