import { useState } from 'preact/hooks';
import type { Role } from '../../../packages/client/src/index.js';
import { usePlace } from '../console.js';
import { Dialog } from '../parts/dialog.js';
import { Choice, Field, FormEnd, useCommand, wrongOf } from '../parts/form.js';

/** Invites one person to a role that can be invited to. */
export const Invite = ({
  roles,
  invited,
}: {
  readonly roles: readonly Role[];
  /** Called with the address as it was typed. */
  readonly invited: (email: string) => void;
}) => {
  const { client, t, language, orgId } = usePlace();
  const ready = roles.filter(({ status, archivedAt }) => status === 'ready' && archivedAt === null);
  const [isOpen, setOpen] = useState(false);
  const [roleId, setRole] = useState('');
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const command = useCommand();
  const role = roleId || (ready[0]?.id ?? '');
  const close = (): void => {
    setOpen(false);
    command.forget();
  };
  return (
    <>
      <button class="button" type="button" onClick={() => setOpen(true)}>
        {t.candidates.invite}
      </button>
      {isOpen && (
        <Dialog title={t.candidates.invite} close={close}>
          {ready.length === 0 ? (
            <>
              <p>{t.candidates.noRole}</p>
              <button class="button quiet" type="button" onClick={close}>
                {t.form.close}
              </button>
            </>
          ) : (
            <form
              onSubmit={(event) => {
                event.preventDefault();
                void command
                  .run(() =>
                    client.post('/organisations/{orgId}/roles/{roleId}/invitations', {
                      params: { orgId, roleId: role },
                      body: {
                        candidateEmail: email.trim(),
                        language,
                        ...(name.trim() !== '' && { candidateName: name.trim() }),
                      },
                    }),
                  )
                  .then((done) => {
                    if (!done) return;
                    setEmail('');
                    setName('');
                    close();
                    invited(email.trim());
                  });
              }}
            >
              <Choice
                label={t.roles.name}
                value={role}
                change={setRole}
                options={ready.map((one) => [one.id, one.name] as const)}
              />
              <Field
                label={t.candidates.email}
                type="email"
                required
                value={email}
                change={setEmail}
                wrong={wrongOf(command.error, 'candidateEmail', t.failure)}
              />
              <Field
                label={t.candidates.name}
                value={name}
                change={setName}
                hint={t.candidates.nameHint}
                wrong={wrongOf(command.error, 'candidateName', t.failure)}
              />
              <FormEnd command={command} label={t.candidates.send} cancel={close} />
            </form>
          )}
        </Dialog>
      )}
    </>
  );
};
