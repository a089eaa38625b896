import { useState } from 'preact/hooks';
import { type AiPolicy, aiPolicyValues } from '../../../packages/client/src/index.js';
import { paragraphs } from '../../../src/languages/en/shapes.js';
import { AI_POLICY_TEXTS } from '../../../src/languages/languages.js';
import { Markdown } from '../../shared/markdown-view.js';
import { usePlace } from '../console.js';
import { Choice, Field } from '../parts/form.js';
import { Loaded, useLoading } from '../parts/load.js';
import type { PartProps } from './role-fields.js';

/** What candidates read: the notice with its policy, the instructions, the planned time and the reminders. */
export const ForCandidates = ({ roleId, draft, change, wrong }: PartProps & { readonly roleId: string }) => {
  const { client, t, orgId, language, membership } = usePlace();
  const { aiPolicy, notice } = draft;
  /** The last typed notice, restored if the user chooses an own notice again. */
  const [typed, setTyped] = useState({ version: '1', text: '' });
  const changeNotice = (part: Partial<typeof typed>): void => {
    const next = { ...(notice ?? typed), ...part };
    setTyped(next);
    change({ notice: next });
  };
  const preview = useLoading(
    (signal) =>
      client.get('/organisations/{orgId}/roles/{roleId}/notice', {
        params: { orgId, roleId, language },
        signal,
      }),
    [orgId, roleId, language],
  );
  const policyText =
    aiPolicy === '' ? null : AI_POLICY_TEXTS[language][aiPolicy](membership.organisationName);
  return (
    <section class="card">
      <h2>{t.role.forCandidates}</h2>
      <Field
        label={t.role.instructions}
        rows={6}
        value={draft.instructions}
        change={(instructions) => change({ instructions })}
        wrong={wrong('instructions')}
        name="instructions"
        hint={t.role.markdown}
      />
      {draft.instructions.trim() !== '' && (
        <details class="preview">
          <summary>{t.role.instructionsPreview}</summary>
          <Markdown text={draft.instructions} />
        </details>
      )}
      <div class="columns">
        <Field
          label={t.role.timeFrame}
          value={draft.timeFrameMinutes}
          change={(timeFrameMinutes) => change({ timeFrameMinutes })}
          wrong={wrong('timeFrameMinutes')}
          name="timeFrameMinutes"
          digits
          hint={t.role.timeFrameHint}
        />
        <Field
          label={t.role.reminders}
          value={draft.reminderDays}
          change={(reminderDays) => change({ reminderDays })}
          wrong={wrong('reminderDays')}
          name="reminderDays"
          hint={t.role.remindersHint}
        />
        <Field
          label={t.role.answerPause}
          value={draft.answerPauseMs}
          change={(answerPauseMs) => change({ answerPauseMs })}
          wrong={wrong('answerPauseMs')}
          name="answerPauseMs"
          digits
          hint={t.role.answerPauseHint}
        />
      </div>
      <Choice
        label={t.role.aiPolicy}
        value={aiPolicy}
        change={(policy) => change({ aiPolicy: policy as AiPolicy | '' })}
        name="aiPolicy"
        hint={t.role.aiPolicyHint}
        options={[
          ['', t.role.aiPolicies.none],
          ...aiPolicyValues.map((policy) => [policy, t.role.aiPolicies[policy]] as const),
        ]}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={notice !== null}
          onChange={({ currentTarget }) => change({ notice: currentTarget.checked ? typed : null })}
        />
        <span>
          {t.role.ownNotice} <span class="soft small">{t.role.ownNoticeHint}</span>
        </span>
      </label>
      {notice && (
        <>
          <Field
            label={t.role.noticeVersion}
            value={notice.version}
            change={(version) => changeNotice({ version })}
            wrong={wrong('notice.version')}
            name="notice.version"
            hint={t.role.noticeVersionHint}
          />
          <Field
            label={t.role.noticeText}
            rows={6}
            value={notice.text}
            change={(text) => changeNotice({ text })}
            wrong={wrong('notice.text')}
            name="notice.text"
            hint={t.role.markdown}
          />
        </>
      )}
      <details class="preview">
        <summary>{t.role.noticePreview}</summary>
        {notice ? (
          <Markdown text={paragraphs(notice.text, policyText)} />
        ) : (
          <Loaded of={preview} what={t.role.whatNotice}>
            {({ defaultText }) => <Markdown text={paragraphs(defaultText, policyText)} />}
          </Loaded>
        )}
      </details>
    </section>
  );
};
