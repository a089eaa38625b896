import { useState } from 'preact/hooks';
import { isAssayError, type Logo, type Organisation } from '../../../packages/client/src/index.js';
import { base64Of } from '../../shared/base64.js';
import { usePlace } from '../console.js';
import { Asking } from '../parts/dialog.js';
import { FileField } from '../parts/file.js';
import { useCommand, wrongOf } from '../parts/form.js';
import { Failure } from '../parts/load.js';

const MAX_BYTES = 200 * 1024;

/** Sets the logo by a file that is chosen or dropped, or removes it. */
export const LogoEditor = ({
  organisation: { name, logo },
  changed,
}: {
  readonly organisation: Organisation;
  /** Called with the organisation after the change. */
  readonly changed: (organisation: Organisation) => void;
}) => {
  const { client, t, orgId, console } = usePlace();
  const words = t.settings.logo;
  const command = useCommand();
  const [isSaved, setSaved] = useState(false);
  const [wrong, setWrong] = useState<string | null>(null);
  const show = async (saved: Organisation): Promise<void> => {
    changed(saved);
    // The page's frame shows the logo too.
    await console.readMe();
  };
  const choose = async (file: File | undefined): Promise<void> => {
    if (!file || command.isRunning) return;
    command.forget();
    setSaved(false);
    const isTooLarge = file.size > MAX_BYTES;
    setWrong(isTooLarge ? words.tooLarge : null);
    if (isTooLarge) return;
    const isDone = await command.run(async () => {
      const body = { data: base64Of(new Uint8Array(await file.arrayBuffer())) };
      await show(await client.put('/organisations/{orgId}/logo', { params: { orgId }, body }));
    });
    setSaved(isDone);
  };
  const refused = wrong ?? wrongOf(command.error, 'data', t.failure);
  const status = command.isRunning ? words.sending : isSaved && t.settings.organisation.saved;
  return (
    <section class="editor card">
      <h2>{words.title}</h2>
      <p>{words.text}</p>
      {logo && <Picture logo={logo} name={name} />}
      <FileField
        label={words.file}
        hint={words.hint}
        accept=".png,.jpg,.jpeg,image/png,image/jpeg"
        choose={(file) => void choose(file)}
        wrong={refused}
        status={status}
      />
      {command.error !== undefined && !isAssayError(command.error, 'validation_failed') && (
        <Failure error={command.error} />
      )}
      {logo && (
        <Asking
          label={words.remove}
          title={words.remove}
          text={words.removeText}
          danger
          work={async () => {
            await show(await client.delete('/organisations/{orgId}/logo', { params: { orgId } }));
            setSaved(false);
            setWrong(null);
            command.forget();
          }}
        />
      )}
    </section>
  );
};

/** The logo as large as it is, if the page is wide enough. */
export const Picture = ({ logo, name }: { readonly logo: Logo; readonly name: string }) => (
  <p>
    <img class="logo" src={logo.url} width={logo.width} height={logo.height} alt={name} />
  </p>
);
