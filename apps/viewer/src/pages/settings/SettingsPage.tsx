import { useQuery } from '@tanstack/react-query';
import { NoAnswer } from '../../ui/NoAnswer.js';
import { Page } from '../../ui/Page.js';
import { StaleNotice } from '../../ui/StaleNotice.js';
import { settingsQuery } from '../../settings-form/settings-query.js';
import { SettingsForm } from './SettingsForm.js';

/** All settings with their descriptions and sources. Changes are saved together. */
export function SettingsPage() {
  const query = useQuery(settingsQuery);
  return (
    <Page
      title="Settings"
      about="Kept in settings.json in the data folder. The environment wins over the file, the file over the default."
    >
      <StaleNotice query={query} />
      {query.data === undefined ? (
        <NoAnswer query={query} />
      ) : (
        <SettingsForm items={query.data.items} problems={query.data.problems} />
      )}
    </Page>
  );
}
