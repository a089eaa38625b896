import { expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import type { Route } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { expectSound, heading, OWNER, signInAs, troubles } from './console-support.js';
import { describeScene, type Scene } from './scene.js';

describeScene('candidates in the console', (scene: Scene) => {
  it('are invited, given more time and withdrawn, as the API then has it', async () => {
    const { page, stage } = scene;
    const wrong = troubles(page);
    await page.goto(`${stage.service.url}/console/${stage.org}/candidates`);
    await signInAs(page, OWNER);
    await page.getByRole('heading', { name: 'No candidates yet' }).waitFor();
    await page.getByRole('button', { name: 'Invite a candidate' }).click();
    await page.getByLabel('E-mail address').fill('carol@example.org');
    await page.getByLabel('Name').fill('Carol <i>"أحمد"</i>');
    await page.getByRole('button', { name: 'Send the invitation' }).click();
    const row = page.getByRole('link', { name: 'Carol <i>"أحمد"</i>' });
    await row.waitFor();
    await expectSound(page, 'candidates');
    await row.click();
    await page.getByText('carol@example.org').waitFor();
    await expectSound(page, 'application');

    const id = page.url().split('/').at(-1) ?? '';
    // The page reads its own writes; another reader may see them a moment later.
    const read = async () =>
      (
        await stage.owner.get<{ status: string; trialSessions: { expiresAt: string }[] }>(
          stage.at(`/applications/${id}`),
        )
      ).body;
    await page.getByRole('button', { name: 'Extend' }).click();
    await page.getByLabel('Expires on').fill('2031-03-04T12:30');
    await page.getByRole('dialog').getByRole('button', { name: 'Extend' }).click();
    await page.getByText('March 4, 2031').waitFor();
    await eventually(async () => /^2031-03-0[345]T/.test((await read()).trialSessions[0]?.expiresAt ?? ''));
    await page.getByRole('button', { name: 'End the application' }).click();
    await page.getByText('This cannot be undone.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'End the application' }).click();
    await page.locator('dl').getByText('Withdrawn').waitFor();
    await eventually(async () => (await read()).status === 'withdrawn');
    expect(await page.getByRole('button', { name: 'Extend' }).count()).toBe(0);
    expect(wrong).toEqual([]);
  });

  it('keep what is typed about them if somebody else changes them meanwhile, beside what is saved now', async () => {
    const { page, stage, role } = scene;
    const { applicationId, application } = await stage.candidate(role);
    await page.goto(`${stage.service.url}/console/${stage.org}/candidates/${applicationId}`);
    await signInAs(page, OWNER);
    const dialog = page.getByRole('dialog');
    const isRefused = async (button: string) => {
      await dialog.getByRole('button', { name: button }).click();
      await dialog.getByText('Somebody else changed this meanwhile.').waitFor();
    };
    await page.getByRole('button', { name: 'Extend' }).click();
    await page.getByLabel('Expires on').fill('2031-03-04T12:30');
    expect((await stage.owner.patch(application, { expiresAt: '2031-01-02T12:30:00.000Z' })).status).toBe(
      200,
    );
    await isRefused('Extend');
    await dialog.getByText('January 2, 2031').waitFor();
    expect(await page.getByLabel('Expires on').inputValue()).toBe('2031-03-04T12:30');
    await expectSound(page, 'extend-conflict');
    await dialog.getByRole('button', { name: 'Extend' }).click();
    await page.getByText('March 4, 2031').waitFor();

    await page.getByRole('button', { name: 'Accommodate' }).click();
    await page.getByLabel('Types instead of speaking').check();
    const theirs = { timeFactor: 2, typedOnly: false, captions: false };
    expect((await stage.owner.put(`${application}/accommodations`, theirs)).status).toBe(200);
    await isRefused('Save');
    await dialog.getByText('Now: 2 times as long').waitFor();
    expect(await page.getByLabel('Types instead of speaking').isChecked()).toBe(true);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.locator('dl').getByText('Types instead of speaking', { exact: true }).waitFor();
  });

  it('are said to be invited also by a list that shows others alone', async () => {
    const { page, stage } = scene;
    await page.goto(`${stage.service.url}/console/${stage.org}/candidates?status=withdrawn`);
    await signInAs(page, OWNER);
    await page.getByRole('button', { name: 'Invite a candidate' }).click();
    await page.getByLabel('E-mail address').fill('unseen@example.org');
    await page.getByRole('button', { name: 'Send the invitation' }).click();
    await page
      .getByRole('status')
      .filter({ hasText: 'The invitation goes to unseen@example.org.' })
      .waitFor();
    expect(await page.getByRole('rowheader', { name: 'unseen@example.org' }).count()).toBe(0);
  });

  it('are listed on a phone without the name of a column in which a row has nothing', async () => {
    const { page, stage, role } = scene;
    await stage.candidate(role);
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto(`${stage.service.url}/console/${stage.org}/candidates?status=invited`);
    await signInAs(page, OWNER);
    await page.getByRole('cell', { name: 'Invited' }).first().waitFor();
    const named = await page.evaluate<readonly (readonly [string, boolean])[]>(`
      [...document.querySelectorAll('td[data-name]')].map((cell) =>
        [cell.textContent, getComputedStyle(cell, '::before').content !== 'none'])`);
    expect(named).toContainEqual(['', false]);
    expect(named.filter(([text, isNamed]) => isNamed !== (text !== ''))).toEqual([]);
  });

  it('are filtered by the address, which a colleague can open', async () => {
    const { page, stage, role } = scene;
    const { email } = await stage.started(role);
    await page.goto(`${stage.service.url}/console/${stage.org}/candidates?status=in_progress`);
    await signInAs(page, OWNER);
    await page.getByRole('link', { name: email }).waitFor();
    await page.getByLabel('Status').selectOption('expired');
    await page.getByRole('heading', { name: 'No candidates match these filters' }).waitFor();
    expect(new URL(page.url()).search).toBe('?status=expired');
    await page.goBack();
    await page.getByRole('link', { name: email }).waitFor();
    // The searched address is in no URL, of the page or of its requests, and a reload keeps the search.
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.getByLabel('Whole address').fill('nobody@example.org');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'No candidates match these filters' }).waitFor();
    expect(new URL(page.url()).hash).toBe('#q=nobody%40example.org');
    expect(new URL(page.url()).search).toBe('?status=in_progress');
    await page.reload();
    await page.getByRole('heading', { name: 'No candidates match these filters' }).waitFor();
    await page.getByLabel('Whole address').fill(email);
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByRole('link', { name: email }).waitFor();
    const lists = asked.filter((url) => /\/applications(\?|$)/.test(url));
    expect([lists.length > 2, lists.filter((url) => /@|%40/.test(url))]).toEqual([true, []]);
    // The next page is of the same search.
    await page.route('**/applications?*status=in_progress*', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ json: { ...((await response.json()) as object), nextCursor: 'more' } });
    });
    await page.reload();
    const next = await page.getByRole('link', { name: 'Next page' }).getAttribute('href');
    expect(next?.endsWith(`?status=in_progress&after=more#q=${encodeURIComponent(email)}`)).toBe(true);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  it('of a former filter are not shown under one whose list cannot be read', async () => {
    const { page, stage, role } = scene;
    const { email } = await stage.candidate(role);
    await page.goto(`${stage.service.url}/console/${stage.org}/candidates`);
    await signInAs(page, OWNER);
    await page.getByRole('link', { name: email }).waitFor();
    await page.route(/\/applications\?.*status=withdrawn/, (route) =>
      route.fulfill({ status: 403, body: '{}' }),
    );
    await page.getByLabel('Status').selectOption('withdrawn');
    await page.locator('.failure').first().waitFor();
    expect(await page.getByRole('link', { name: email }).count()).toBe(0);
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('are narrowed by days and to one person, by filters that are shown and can be removed', async () => {
    const { page, stage, role } = scene;
    const wrong = troubles(page);
    const { applicationId, application, email } = await stage.candidate(role);
    expect((await stage.owner.post(`${application}/cancel`)).status).toBe(200);
    const { candidateId } = (
      await stage.owner.get<{ candidateId: string }>(stage.at(`/applications/${applicationId}`))
    ).body;
    const list = `${stage.service.url}/console/${stage.org}/candidates`;
    const query = () => decodeURIComponent(new URL(page.url()).search);
    const remove = (name: string) => page.getByRole('button', { name: `Remove the filter “${name}”` });
    const inFocus = page.locator(':focus');
    await page.goto(`${list}?from=banana<b>&status=lost&waiting=&role=${role}`);
    await signInAs(page, OWNER);
    await page
      .getByText('Left out, because')
      .getByText('Status “lost” and Invited from “banana<b>”')
      .waitFor();
    const row = page.getByRole('link', { name: email, exact: true });
    await row.waitFor();
    await page.getByRole('option', { name: /^Withdrawn \([1-9]\d*\)$/ }).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await heading(page, 'Candidates').and(inFocus).waitFor();
    expect(query()).toBe('');

    await page.getByLabel('Invited from').fill('2001-05-02');
    await page.getByLabel('Invited until').fill('2001-05-01');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('The end is before the beginning').waitFor();
    expect(query()).toBe('');
    await page.getByLabel('Invited until').fill('2001-05-02');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'No candidates match these filters' }).waitFor();
    expect(query()).toBe('?from=2001-05-02&to=2001-05-02');
    // No status is counted within days.
    await page.getByRole('option', { name: 'Withdrawn', exact: true }).waitFor({ state: 'attached' });
    await page.goBack();
    await row.waitFor();
    await page.goForward();
    await page.getByText('Invited until: May 2, 2001').waitFor();
    await remove('Invited from').focus();
    await page.keyboard.press('Enter');
    await remove('Invited until').and(inFocus).waitFor();
    expect(query()).toBe('?to=2001-05-02');
    await page.keyboard.press('Enter');
    await row.waitFor();
    await heading(page, 'Candidates').and(inFocus).waitFor();
    await page.getByLabel('Invited from').fill('2001-05-02');
    await page.keyboard.press('Enter');
    await page.getByText('Invited from: May 2, 2001').waitFor();
    await row.waitFor();
    // The beginning of a role's name is searched for without days.
    await page.getByLabel('Whole address').fill('Backend');
    await page.keyboard.press('Enter');
    await page.getByText('Search: Backend').waitFor();
    await row.waitFor();
    expect(query()).toBe('');

    await page.goto(`${list}?candidate=${candidateId}&to=2999-12-31`);
    const person = page.getByRole('list', { name: 'Active filters' }).getByRole('link', { name: email });
    await person.waitFor();
    await expectSound(page, 'active-filters');
    await remove('Person').click();
    await person.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Clear all filters' }).and(inFocus).waitFor();
    expect(query()).toBe('?to=2999-12-31');
    await page.goto(`${list}?candidate=${candidateId}&from=2001-05-03&to=2001-05-02`);
    await page.getByRole('alert').getByText('The end is before the beginning').waitFor();
    await person.click();
    await heading(page, email).waitFor();
    expect(wrong).toEqual([]);
  });

  it('are shown by saved views, which keep no search longer than its person', async () => {
    const { page, stage, role } = scene;
    const { owner } = stage;
    const { email, application, person } = await stage.started(role);
    owner.follow(person);
    const reader = await stage.member('recruiter', 'reader');
    const { body: shared } = await reader.post<{ id: string }>(stage.at('/saved-views'), {
      ...{ list: 'applications', name: 'One person', filter: { text: email }, shared: true },
    });
    const list = `${stage.service.url}/console/${stage.org}/candidates`;
    const chosen = (name: string) => page.locator('.shown-view').getByText(name, { exact: true });
    const picker = page.getByText('Saved views', { exact: true });
    await page.goto(list);
    await signInAs(page, OWNER);
    await picker.focus();
    await page.keyboard.press('Enter');
    await page.getByText('from reader@example.org').waitFor();
    await page.getByRole('link', { name: 'One person' }).click();
    await chosen('One person').waitFor();
    await page.getByRole('link', { name: email }).waitFor();
    expect(new URL(page.url()).search).not.toContain('example');
    expect(await page.getByLabel('Whole address').inputValue()).toBe(email);

    // The view stays the one that is shown while its filters are others.
    await page.getByLabel('Status').selectOption('in_progress');
    await page.getByText('Filters changed').waitFor();
    await page.getByRole('button', { name: 'Save as another view' }).click();
    await page.getByLabel('Name of the view').fill('Their trial');
    await page.keyboard.press('Enter');
    await chosen('Their trial').waitFor();
    await page.reload();
    await chosen('Their trial').waitFor();
    await picker.click();
    await page.getByText('from reader@example.org').waitFor();
    await expectSound(page, 'saved-views');

    const mine = new URL(page.url()).searchParams.get('view') ?? '';
    await page.getByRole('button', { name: 'Change the view' }).click();
    await page.getByLabel('Name of the view').fill('My name');
    owner.follow(reader);
    const saved = await owner.patch(stage.at(`/saved-views/${mine}`), { name: 'Another name' });
    expect(saved.status).toBe(200);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('cell', { name: 'Another name' }).waitFor();
    await page.getByRole('button', { name: 'Save mine over it' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await chosen('My name').waitFor();
    await page.getByRole('button', { name: 'Remove the view' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the view' }).click();
    await chosen('My name').waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toContain('status=in_progress');

    await owner.post(`${application}/erasure`);
    await page.goto(`${list}?view=${shared.id}`);
    await page.getByRole('heading', { name: 'What this view searched for was erased' }).waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
    await page.getByLabel('Status').selectOption('erased');
    await page.getByRole('table').waitFor();
  });

  it('have a mail sent again, though not at once', async () => {
    const { page, stage, role } = scene;
    const { applicationId, email } = await stage.candidate(role);
    await page.goto(`${stage.service.url}/console/${stage.org}/candidates/${applicationId}`);
    await signInAs(page, OWNER);
    // A reload would end a sign-in that is under way.
    await page.getByRole('rowheader', { name: 'Invitation' }).waitFor();
    const path = stage.at(`/applications/${applicationId}/mails`);
    await eventually(async () => {
      const { body } = await stage.owner.get<{ items: { kind: string; state: string }[] }>(path);
      return body.items.some(({ kind, state }) => kind === 'invitation' && state === 'sent');
    });
    await page.reload();
    await page.getByRole('button', { name: 'Send again: Invitation' }).click();
    await page.getByText(`${email} gets this mail once more`).waitFor();
    await expectSound(page, 'resend');
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
    await page.getByText('A mail is sent again at the earliest 10 minutes later').waitFor();
    await page.keyboard.press('Escape');
    // A reminder is another mail; the next one has to wait.
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Remind', exact: true }).click();
    await dialog.getByText(`${email} gets a mail that says until when`).waitFor();
    await expectSound(page, 'remind');
    await dialog.getByRole('button', { name: 'Remind' }).click();
    await page.getByText('Reminder: sent.').waitFor();
    await page.getByRole('button', { name: 'Remind', exact: true }).click();
    await dialog.getByRole('button', { name: 'Remind' }).click();
    await dialog.getByText('a reminder that you asked for one hour later').waitFor();
  });

  it('are erased by who types their name', async () => {
    const { page, stage, role } = scene;
    const { applicationId, email } = await stage.candidate(role);
    await page.goto(`${stage.service.url}/console/${stage.org}/candidates/${applicationId}`);
    await signInAs(page, OWNER);
    await page.getByRole('rowheader', { name: 'Invitation' }).waitFor();
    await page.getByRole('button', { name: 'Erase' }).click();
    await page.getByText('This destroys what this organisation holds').waitFor();
    await page.getByLabel('Name or address').fill('somebody');
    await page.getByRole('dialog').getByRole('button', { name: 'Erase' }).click();
    await page.getByText(`To confirm, type: ${email}`).waitFor();
    await expectSound(page, 'erase');
    await page.getByLabel('Name or address').fill(email);
    await page.getByRole('dialog').getByRole('button', { name: 'Erase' }).click();
    await heading(page, 'Erased').waitFor();
    expect(await page.getByRole('button', { name: 'Erase' }).count()).toBe(0);
  });

  it('have one page for all their applications, with what was done, by whom and when', async () => {
    const { page, stage, role } = scene;
    const { applicationId, email } = await stage.candidate(role);
    await stage.owner.post(stage.at(`/applications/${applicationId}/cancel`));
    await stage.owner.post(stage.at(`/roles/${role}/invitations`), {
      candidateEmail: email,
      retakeOf: applicationId,
    });
    const other = await stage.role('Support engineer');
    await stage.owner.post(stage.at(`/roles/${other}/invitations`), { candidateEmail: email });
    // The page has no token of these commands: each view has to show them by itself.
    const { token } = stage.owner;
    const { body } = await stage.owner.get<{ candidateId: string }>(
      stage.at(`/applications/${applicationId}`),
    );
    const shows = (path: string, count: number) =>
      eventually(async () => {
        const read = await stage.api.send<{ items: object[] }>('GET', stage.at(path), { token });
        return read.body.items.length === count;
      });
    await shows(`/applications?candidateId=${body.candidateId}`, 3);
    await shows(`/applications/${applicationId}/timeline`, 5);
    await page.goto(`${stage.service.url}/console/${stage.org}/candidates/${applicationId}`);
    await signInAs(page, OWNER);
    const together = page.getByRole('table', { name: 'All applications of this person' });
    await together.getByRole('link', { name: 'Support engineer' }).waitFor();
    expect(await together.getByRole('row').count()).toBe(4);
    await together.getByText('Retake').waitFor();
    const timeline = page.getByRole('list', { name: 'Timeline' });
    const withdrawn = timeline.getByRole('listitem').filter({ hasText: 'Withdrawn' });
    await withdrawn.getByText(OWNER).waitFor();
    await withdrawn.getByText('Backend engineer').waitFor();
    await expectSound(page, 'person');
    await together.getByRole('link', { name: 'Backend engineer' }).press('Enter');
    await page.getByRole('link', { name: 'Open the earlier attempt' }).waitFor();
    expect(page.url()).not.toContain(applicationId);
  });

  it('are shown with nothing that was chosen for another record, nor before the dialog was opened', async () => {
    const { page, stage, role } = scene;
    const { applicationId, email } = await stage.candidate(role);
    const other = await stage.role('Support engineer');
    await stage.owner.post(stage.at(`/roles/${other}/invitations`), { candidateEmail: email });
    await page.goto(`${stage.service.url}/console/${stage.org}/candidates/${applicationId}`);
    await signInAs(page, OWNER);
    const grant = page.getByRole('button', { name: 'Accommodate' });
    const dialog = page.getByRole('dialog');
    await grant.click();
    await dialog.getByRole('combobox').selectOption('2');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await grant.click();
    expect(await dialog.getByRole('combobox').inputValue()).toBe('1');
    await dialog.getByRole('combobox').selectOption('1.5');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.locator('dl').getByText('1.5').waitFor();
    const together = page.getByRole('table', { name: 'All applications of this person' });
    await together.getByRole('link', { name: 'Support engineer' }).click();
    await page.locator('dl').getByText('Support engineer').waitFor();
    expect(page.url()).not.toContain(applicationId);
    // As on any page that is opened: a screen reader begins there.
    await heading(page, email).waitFor();
    expect(await page.evaluate('document.activeElement?.tagName')).toBe('H1');
    await grant.click();
    expect(await dialog.getByRole('combobox').inputValue()).toBe('1');
  });

  it('are invited by a file, whose rows are checked and shown first', async () => {
    const { page, stage, role } = scene;
    const wrong = troubles(page);
    const choose = (csv: string) =>
      page.getByLabel('CSV file').setInputFiles({
        ...{ name: 'round.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) },
      });
    await page.goto(`${stage.service.url}/console/${stage.org}/roles/${role}`);
    await signInAs(page, OWNER);
    await page.getByRole('link', { name: 'Import candidates' }).click();
    await heading(page, 'Import candidates').waitFor();
    await choose('candidateEmail;candidateName\nmary@example.org;Mary\nnobody;\nmary@example.org;\n');
    await page.getByRole('heading', { name: '2 faults in the file' }).waitFor();
    await page.getByText('This is not an e-mail address.').waitFor();
    await expectSound(page, 'import-faults');
    await choose('candidateEmail;candidateName\nmary@example.org;"Mary; 李雷 😀"\njohn@example.org;=1+1\n');
    await page.getByText('2 people will be invited to').waitFor();
    await page.getByText('Mary; 李雷 😀').waitFor();
    await expectSound(page, 'import-checked');
    await page.getByRole('button', { name: 'Invite 2 people' }).click();
    await page.getByText('2 of 2 invited').first().waitFor();
    await page.getByText('Finished.').waitFor();
    await expectSound(page, 'import-progress');
    // The same people and one more: the page shows that they already have an open application.
    await page.getByRole('link', { name: 'Import candidates' }).click();
    await page.getByRole('heading', { name: 'Imports' }).waitFor();
    await choose('candidateEmail\nmary@example.org\nruth@example.org\n');
    await page.getByRole('button', { name: 'Invite 2 people' }).click();
    await page.getByRole('heading', { name: 'One row was not invited' }).waitFor();
    await page.getByText('There is an open application of this person').waitFor();
    await page.getByRole('link', { name: 'Open the candidates of this role' }).click();
    await page.getByRole('link', { name: 'Mary; 李雷 😀' }).waitFor();
    // The browser reports the refusal of the first file.
    expect(wrong.filter((one) => !one.includes('status of 400'))).toEqual([]);
  });

  it('are invited once more, and both applications lead to each other', async () => {
    const { page, stage, role } = scene;
    const { applicationId, email } = await stage.candidate(role);
    expect((await stage.owner.post(stage.at(`/applications/${applicationId}/cancel`))).status).toBe(200);
    await page.goto(`${stage.service.url}/console/${stage.org}/candidates/${applicationId}`);
    await signInAs(page, OWNER);
    await page.getByRole('button', { name: 'Retake' }).click();
    await page.getByText('This application stays as it is.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Retake' }).click();
    const former = page.locator(`dl a[href$="/candidates/${applicationId}"]`);
    await former.waitFor();
    const id = page.url().split('/').at(-1) ?? '';
    expect(id).not.toBe(applicationId);
    await former.click();
    await page.locator(`a[href$="/candidates/${id}"]`).first().waitFor();
    await heading(page, email).waitFor();
  });

  it('are changed many at once, with what became of each', async () => {
    const { page, stage } = scene;
    const role = await stage.role('Support engineer');
    for (let n = 0; n < 3; n++) await stage.candidate(role);
    const statuses = async () => {
      const path = stage.at(`/applications?roleId=${role}`);
      const { body } = await stage.owner.get<{ items: { status: string }[] }>(path);
      return body.items.map(({ status }) => status).sort();
    };
    await page.goto(`${stage.service.url}/console/${stage.org}/candidates?role=${role}`);
    await signInAs(page, OWNER);
    const boxes = page.locator('tbody input[type=checkbox]');
    await boxes.first().check();
    await page.getByText('1 selected').waitFor();
    await expectSound(page, 'bulk');
    await page.getByRole('button', { name: 'End the application' }).click();
    const dialog = page.getByRole('dialog');
    await page.getByText('This cannot be undone.').waitFor();
    const [name = ''] = await dialog.getByRole('listitem').allTextContents();
    await dialog.getByRole('button', { name: 'End the application' }).click();
    await dialog.locator('.bad', { hasText: `To confirm, type: ${name}` }).waitFor();
    await expectSound(page, 'bulk-end');
    await dialog.getByLabel('Name or address').fill(name);
    await page.keyboard.press('Enter');
    await page.getByText('1 of 1').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.locator('.badge', { hasText: 'Withdrawn' }).waitFor();
    await eventually(async () => (await statuses()).join() === 'invited,invited,withdrawn');
    // One of three is over by now: the others do not wait for it.
    await page.getByLabel('Select all on this page').check();
    await page.getByText('3 selected').waitFor();
    await page.getByRole('button', { name: 'Select all that match' }).click();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export the selected' }).click();
    const lines = (await readFile(await (await saving).path(), 'utf8')).trimEnd().split('\r\n');
    expect(lines.map((line) => line.includes('Support engineer'))).toEqual([false, true, true, true]);
    await page.getByRole('button', { name: 'End the application' }).click();
    await dialog.getByText('Over already, and left as they are: 1 of 3.').waitFor();
    await dialog.getByLabel('Number of people').fill('3');
    await page.keyboard.press('Enter');
    await dialog.locator('.bad', { hasText: 'To confirm, type: 2' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remind' }).click();
    await dialog.getByText('Each of the 2 gets a mail').waitFor();
    await dialog.getByRole('button', { name: 'Remind' }).click();
    await page.getByText('2 of 3').waitFor();
    await dialog.getByRole('cell', { name: 'The assessment is over.' }).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByLabel('Select all on this page').check();
    await page.getByRole('button', { name: 'Extend' }).click();
    // A time that has passed is refused at its field: no row is sent, and the selection stays.
    await page.getByLabel('Expires on').fill('2021-03-04T12:30');
    await page.getByRole('dialog').getByRole('button', { name: 'Extend' }).click();
    await page.getByRole('dialog').locator('.bad', { hasText: 'This time has passed.' }).waitFor();
    await page.getByLabel('Expires on').fill('2031-03-04T12:30');
    await page.getByRole('dialog').getByRole('button', { name: 'Extend' }).click();
    await page.getByText('2 of 3').waitFor();
    await page.getByText('The assessment is over.').waitFor();
    await page.getByRole('button', { name: 'Try again what was not done' }).waitFor();
    await expectSound(page, 'bulk-results');
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('stay where they are on a phone when one is chosen, with the commands in sight and room for a finger', async () => {
    const { page, stage } = scene;
    const role = await stage.role('Phone engineer');
    for (let n = 0; n < 12; n++) await stage.candidate(role);
    await page.setViewportSize({ width: 390, height: 700 });
    await page.goto(`${stage.service.url}/console/${stage.org}/candidates?role=${role}`);
    await signInAs(page, OWNER);
    const box = page.locator('tbody input[type=checkbox]').first();
    await box.scrollIntoViewIfNeeded();
    const before = await box.boundingBox();
    await box.check();
    await page.getByText('1 selected').waitFor();
    expect(await box.boundingBox()).toEqual(before);
    expect(Math.min(before?.width ?? 0, before?.height ?? 0)).toBeGreaterThanOrEqual(24);
    const bar = await page.getByRole('region', { name: '1 selected' }).boundingBox();
    expect((bar?.y ?? Infinity) + (bar?.height ?? 0)).toBeLessThanOrEqual(700);
    // What the keyboard reaches is not behind the bar.
    for (let presses = 0; presses < 16; presses += 1) {
      await page.keyboard.press('Tab');
      const reached = await page.locator(':focus').boundingBox();
      expect((reached?.y ?? Infinity) + (reached?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
    }
    // A column that is left out there still sorts.
    await page.getByRole('link', { name: 'Invited on' }).click();
    await page.waitForURL(/sort=invitedAt/);
    await page.setViewportSize({ width: 1_280, height: 800 });
  });

  it('are all selected that match, as far as the reader waits and the service answers', async () => {
    const { page, stage } = scene;
    const role = await stage.role('Data engineer');
    for (let n = 0; n < 2; n++) await stage.candidate(role);
    await page.goto(`${stage.service.url}/console/${stage.org}/candidates?role=${role}`);
    await signInAs(page, OWNER);
    // Two pages, of which the second is answered as each step says.
    const asked: string[] = [];
    let second: (route: Route) => Promise<void> = (route) => route.abort();
    await page.route('**/applications?*limit=200*', async (route) => {
      const url = new URL(route.request().url());
      asked.push(url.search);
      if (url.searchParams.has('cursor')) return second(route);
      const response = await route.fetch();
      const { items } = (await response.json()) as { items: readonly { id: string }[] };
      await route.fulfill({ json: { items: items.slice(0, 1), nextCursor: 'more' } });
    });
    await page.getByLabel('Select all on this page').focus();
    await page.keyboard.press('Space');
    await page.getByText('2 selected').waitFor();
    let held: Route | null = null;
    second = (route) => {
      held = route;
      return Promise.resolve();
    };
    await page.getByRole('button', { name: 'Select all that match' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Selecting all that match: 2 so far').waitFor();
    await eventually(() => Promise.resolve(held !== null));
    expect(await page.getByRole('button', { name: 'Extend' }).count()).toBe(0);
    await expectSound(page, 'bulk-selecting');
    // The button has kept the focus.
    await page.getByRole('button', { name: 'Stop' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Not all that match are selected.').waitFor();
    await page.getByText('2 selected').waitFor();

    second = (route) => route.fulfill({ status: 500, json: { error: 'Broken.', code: 'internal' } });
    await page.getByRole('button', { name: 'Select all that match' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByText('2 selected').waitFor();
    await expectSound(page, 'bulk-failed');
    const many = Array.from({ length: 2_000 }, (_, n) => ({
      ...{ id: `${n}`, candidateName: null, candidateEmail: `${n}@example.org`, status: 'invited' },
    }));
    second = (route) => route.fulfill({ json: { items: many, nextCursor: null } });
    await page.getByRole('button', { name: 'Select all that match' }).click();
    await page.getByText('the first 2,000 are selected').waitFor();
    await expectSound(page, 'bulk-limit');
    await page.getByRole('button', { name: 'End the application' }).click();
    await page.getByRole('dialog').getByText('more', { exact: false }).first().waitFor();
    await expectSound(page, 'bulk-end-many');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    // Leaving the list stops the loading.
    held = null;
    second = (route) => {
      held = route;
      return Promise.resolve();
    };
    await page.getByRole('button', { name: 'Select all that match' }).click();
    await eventually(() => Promise.resolve(held !== null));
    const before = asked.length;
    await page.getByLabel('Status').selectOption('invited');
    await page.getByText('selected').waitFor({ state: 'detached' });
    expect(asked).toHaveLength(before);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  it('are read by a reviewer without a button that would answer 403', async () => {
    const { page, stage, role } = scene;
    await stage.member('reviewer');
    const { applicationId, email } = await stage.candidate(role);
    await page.goto(`${stage.service.url}/console/${stage.org}/candidates`);
    await signInAs(page, 'reviewer@example.org');
    await page.getByRole('link', { name: email }).waitFor();
    expect(await page.getByRole('button', { name: 'Invite a candidate' }).count()).toBe(0);
    expect(await page.getByRole('checkbox').count()).toBe(0);
    await page.goto(`${stage.service.url}/console/${stage.org}/candidates/${applicationId}`);
    await heading(page, email).waitFor();
    expect(await page.getByRole('button', { name: 'Extend' }).count()).toBe(0);
  });
});
