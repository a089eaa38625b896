import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { Role } from '../../../packages/client/src/index.js';
import { usePlace } from '../console.js';
import { Asking, Dialog } from '../parts/dialog.js';
import { FormEnd, useCommand } from '../parts/form.js';
import { Failure } from '../parts/load.js';
import { NewName, useNewName } from './roles.js';

/** Asks for a name, copies the role, and opens the copy in the editor. */
export const CloneButton = ({ role }: { readonly role: Role }) => {
  const { t } = usePlace();
  const [isShown, setShown] = useState(false);
  return (
    <>
      <button class="button quiet" type="button" onClick={() => setShown(true)}>
        {t.role.clone}
      </button>
      {isShown && <CloneDialog role={role} close={() => setShown(false)} />}
    </>
  );
};

const CloneDialog = ({ role, close }: { readonly role: Role; readonly close: () => void }) => {
  const { client, t, orgId, to } = usePlace();
  const { route } = useLocation();
  const name = useNewName(t.role.cloneName(role.name));
  const command = useCommand();
  return (
    <Dialog title={t.role.cloneTitle} text={t.role.cloneText} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void command.run(async () => {
            const { id } = await client.post('/organisations/{orgId}/roles/{roleId}/clone', {
              params: { orgId, roleId: role.id },
              body: { name: name.value.trim() },
            });
            route(to(`roles/${id}/edit`));
          });
        }}
      >
        <NewName label={t.roles.name} name={name} command={command} />
        <FormEnd command={command} label={t.role.clone} cancel={close} />
      </form>
    </Dialog>
  );
};

interface ArchiveProps {
  readonly role: Role;
  /** Called with the role after it was archived or taken out of the archive. */
  readonly done: (role: Role) => void;
}

/** Archives the role, after explaining the effect. */
export const ArchiveButton = ({ role, done }: ArchiveProps) => {
  const { client, t, orgId } = usePlace();
  return (
    <Asking
      label={t.role.archive}
      title={t.role.archiveTitle}
      text={t.role.archiveText}
      work={async () =>
        done(
          await client.post('/organisations/{orgId}/roles/{roleId}/archive', {
            params: { orgId, roleId: role.id },
          }),
        )
      }
    />
  );
};

/** A note that the role is archived, with a button that restores it. */
export const ArchivedNote = ({ role, done }: ArchiveProps) => {
  const { client, t, orgId, may } = usePlace();
  const command = useCommand();
  const unarchive = (): Promise<boolean> =>
    command.run(async () =>
      done(
        await client.delete('/organisations/{orgId}/roles/{roleId}/archive', {
          params: { orgId, roleId: role.id },
        }),
      ),
    );
  return (
    <section class="note" aria-label={t.roles.archived}>
      <p>{t.role.archivedNote}</p>
      {may('roles.write') && (
        <button
          class="button quiet small"
          type="button"
          aria-disabled={command.isRunning}
          onClick={() => void unarchive()}
        >
          {t.role.unarchive}
        </button>
      )}
      {command.error !== undefined && <Failure error={command.error} />}
    </section>
  );
};
