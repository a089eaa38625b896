// Generated from docs/contract/openapi.json by `npm run contract:write`.

export interface paths {
  readonly '/me': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Get the current user */
    readonly get: operations['me.read'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/applications/{applicationId}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Get my application */
    readonly get: operations['ownApplications.read'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/applications/{applicationId}/accommodation-requests': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Ask for an accommodation
     * @description In your own words, which the organisation’s staff read and which are erased with you. A further request replaces the former one.
     */
    readonly post: operations['ownApplications.requestAccommodation'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/applications/{applicationId}/erasure-requests': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Ask to be erased
     * @description The organisation’s staff see it, and erase you from all your applications there. Until then nothing changes. Asking again changes nothing.
     */
    readonly post: operations['ownApplications.requestErasure'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/trial-sessions/{trialSessionId}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Get my trial session */
    readonly get: operations['trialSessions.read'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/trial-sessions/{trialSessionId}/start': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Start the trial
     * @description `noticeVersion` is that of the briefing’s notice: what was consented to is then evidence. Another one is refused.
     */
    readonly post: operations['trialSessions.start'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/trial-sessions/{trialSessionId}/complete': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Complete the trial
     * @description Its evaluation begins.
     */
    readonly post: operations['trialSessions.complete'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/trial-sessions/{trialSessionId}/withdraw': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Withdraw from the trial */
    readonly post: operations['trialSessions.withdraw'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/trial-sessions/{trialSessionId}/briefing': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Get what I am told
     * @description Role, instructions and tickets as they were at the invitation (the tickets’ content as it was when the session was started, before that as it is now; and how far the candidate is with each, by the activity recorded last), and the notice to consent to. A role without a notice of its own has one that is generated from the service’s configuration. It holds 1 MiB of the tickets’ descriptions, links and lists of files at most: those of the rest are read a ticket at a time.
     */
    readonly get: operations['trialSessions.readBriefing'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/trial-sessions/{trialSessionId}/tickets/{ticketId}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Get a ticket of my briefing
     * @description With the description, the links and the lists of files that the briefing may leave out.
     */
    readonly get: operations['trialSessions.readTicket'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/trial-sessions/{trialSessionId}/tickets/{ticketId}/starter': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Get the files that a ticket’s work begins with
     * @description Once the session was started, in the version that it began with.
     */
    readonly get: operations['trialSessions.readStarter'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/trial-sessions/{trialSessionId}/tickets/{ticketId}/starter/files': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Get one of the files that a ticket’s work begins with */
    readonly get: operations['trialSessions.readStarterFile'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/trial-sessions/{trialSessionId}/tickets/{ticketId}/visible-checks': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Get the visible checks of a ticket
     * @description What runs over each hand-in. Hidden checks are not among them.
     */
    readonly get: operations['trialSessions.readVisibleChecks'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/trial-sessions/{trialSessionId}/activity': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Record activity
     * @description At most 100 events of at most 16 KiB, accepted or refused whole. An event whose clientEventId the session knows is counted as a duplicate and not recorded again. A session holds 16 MiB of activity, each event counted as the log keeps it, and 10,000 events.
     */
    readonly post: operations['trialSessions.recordActivity'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/trial-sessions/{trialSessionId}/receipts': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Get which of my messages were recorded
     * @description For a client of the interview that was cut off before the service had acknowledged its last messages: once the session has ended, its socket cannot be opened any more. The answer is of the log as it is now. The candidate’s audio is durable up to `lastAudioSeq`.
     */
    readonly get: operations['trialSessions.readReceipts'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/trial-sessions/{trialSessionId}/feedback': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Give feedback on the assessment
     * @description Once, after the session is completed; 1 is the worst and 5 the best. It is never part of the evaluation.
     */
    readonly post: operations['trialSessions.giveFeedback'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/trial-sessions/{trialSessionId}/tickets/{ticketId}/hand-ins': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** List my hand-ins for a ticket */
    readonly get: operations['handIns.list'];
    readonly put?: never;
    /**
     * Begin a hand-in
     * @description Announces a file for a ticket: a zip, a tar, a tar.gz, a git bundle or any single file, of at most 10485760 bytes and, unpacked, 1000 files. The ending of `name` says how it is read. These very bytes again are the same hand-in, unless other work was handed in after them; if it is `refused`, only under the same name. Its content follows in pieces.
     */
    readonly post: operations['handIns.begin'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/trial-sessions/{trialSessionId}/tickets/{ticketId}/hand-ins/{handInId}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Get my hand-in
     * @description Go on at `received`. `checks` has the result of the visible checks: while they are `waiting`, ask again every few seconds.
     */
    readonly get: operations['handIns.read'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/trial-sessions/{trialSessionId}/tickets/{ticketId}/hand-ins/{handInId}/pieces': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Send a piece of a hand-in
     * @description At most 131072 bytes, in base64. A piece that was sent before, or begins elsewhere than where the last one ended, changes nothing: go on at `received`. A hand-in that was begun before the session was completed may go on for 10 minutes after it.
     */
    readonly post: operations['handIns.addPiece'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/trial-sessions/{trialSessionId}/tickets/{ticketId}/hand-ins/{handInId}/complete': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Complete a hand-in
     * @description Once all of its content has arrived. It is unpacked and recorded as evidence. Content that is not what was announced is discarded: the hand-in may be sent again from its beginning. Content that cannot be taken is discarded too, and the hand-in is `refused` from then on. One that was begun before the session was completed may be completed for 10 minutes after it, and counts.
     */
    readonly post: operations['handIns.complete'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/trial-sessions/{trialSessionId}/tickets/{ticketId}/hand-ins/{handInId}/content': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Get the content of my hand-in */
    readonly get: operations['handIns.readContent'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/me/evaluations': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List my evaluations
     * @description Which evaluation belongs to which application, and how much of it is released.
     */
    readonly get: operations['me.listEvaluations'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/me/evaluations/{evaluationId}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Get what I am shown of my evaluation
     * @description What the organisation’s `candidateResults` says, once a generation is ready and an outcome is recorded; nothing before that. The figures are those of the latest ready generation. A result that is shown counts as a read of the evaluation.
     */
    readonly get: operations['me.readEvaluation'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/me/evaluations/{evaluationId}/contests': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Contest something of my evaluation
     * @description In words, as long as something of it is released; the transcript can be contested at any time. At most 20 for an evaluation. Staff see it beside the evidence and answer it once; both become evidence.
     */
    readonly post: operations['me.contestEvaluation'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/me/export': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Export my data
     * @description Everything that any organisation holds about the caller as a candidate: applications, sessions, every event of the evidence, all generations of the evaluations with how each figure came about, outcomes with their reasons, and, in base64, recorded speech as WAV files and hand-ins as they were sent. It has no data of other persons and does not name staff. It may be long and is sent as it is read: a response that breaks off is not a complete export.
     */
    readonly get: operations['me.export'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Read the organisation */
    readonly get: operations['organisations.read'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    /**
     * Change the organisation’s settings
     * @description What is left out stays as it is. `candidateResults` is what candidates are shown of their evaluations once an outcome is recorded.
     */
    readonly patch: operations['organisations.update'];
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/logo': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    /**
     * Set the organisation’s logo
     * @description A PNG or JPEG of at most 200 KB and 1024 pixels on each side, in base64. It is decoded and encoded again, without anything else that its file holds. Mails, the candidates’ page and shared reports show it, so anybody who has its address can read it. A logo that it replaces is destroyed.
     */
    readonly put: operations['organisations.setLogo'];
    readonly post?: never;
    /**
     * Remove the organisation’s logo
     * @description It is destroyed: mails that were sent with it show the organisation’s name in its place.
     */
    readonly delete: operations['organisations.removeLogo'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/members': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** List members */
    readonly get: operations['members.list'];
    readonly put?: never;
    /**
     * Add a member
     * @description By e-mail, bound to a subject at that person’s first sign-in, or by subject.
     */
    readonly post: operations['members.add'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/members/{memberId}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Read a member */
    readonly get: operations['members.read'];
    readonly put?: never;
    readonly post?: never;
    /** Remove a member */
    readonly delete: operations['members.remove'];
    readonly options?: never;
    readonly head?: never;
    /** Change a member’s role */
    readonly patch: operations['members.update'];
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/roles/{roleId}/clone': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Copy a role
     * @description The copy has the role’s definition as it is now, with dimensions of its own, and is not archived. Without `name` it has that of the role with “ (copy)” behind it.
     */
    readonly post: operations['roles.clone'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/role-templates': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** List the templates of roles */
    readonly get: operations['roles.templates'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/role-templates/roles': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Create a role from a template
     * @description The role can be invited to at once, and changed like any other. It names the template’s ticket, which the organisation gets with the first such role and later ones share. It has the template’s name unless `name` is given, and English texts unless `language` is.
     */
    readonly post: operations['roles.createFromTemplate'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/roles': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** List roles */
    readonly get: operations['roles.list'];
    readonly put?: never;
    /**
     * Create a role
     * @description Takes any definition of the right JSON types within the largest sizes, 65536 bytes as JSON in all; one that breaks an update rule makes a draft.
     */
    readonly post: operations['roles.create'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/roles/{roleId}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read a role
     * @description As it is, or in a former version: applications name the version that they were opened with.
     */
    readonly get: operations['roles.read'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    /**
     * Replace a role’s definition
     * @description The definition has at most 65536 bytes as JSON.
     */
    readonly patch: operations['roles.update'];
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/roles/{roleId}/measures': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read what a role can measure
     * @description For each dimension, which signals can come from a session, who vouches for them, and the most points that they give, by the rules of new evaluations.
     */
    readonly get: operations['roles.measures'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/roles/{roleId}/archive': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Archive a role
     * @description Nobody can be invited to it any more; its open sessions continue, and it keeps its status and its counts in the signal. It can still be changed. Archived already, nothing changes.
     */
    readonly post: operations['roles.archive'];
    /**
     * Take a role out of the archive
     * @description A role that is not archived stays as it is.
     */
    readonly delete: operations['roles.unarchive'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/roles/{roleId}/versions': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List the versions of a role
     * @description Each version: who made it, when, and what changed. `GET …/roles/{roleId}?version=` reads one.
     */
    readonly get: operations['roles.listVersions'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/roles/{roleId}/difference': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Compare two versions of a role
     * @description A dimension is the same one as long as its id is, also under another name.
     */
    readonly get: operations['roles.compareVersions'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/roles/{roleId}/notice': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read the notice of a role
     * @description What a candidate who is invited now would be asked to agree to before the session starts.
     */
    readonly get: operations['roles.readNotice'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/tickets': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List tickets
     * @description Of files they say how many there are: `GET …/tickets/{ticketId}` lists them.
     */
    readonly get: operations['tickets.list'];
    readonly put?: never;
    /**
     * Create a ticket
     * @description Candidates of a role are shown the tickets whose ids are among its `ticketIds`, each in the version that their session began with.
     */
    readonly post: operations['tickets.create'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/tickets/{ticketId}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read a ticket
     * @description As it is, or in a former version: the evidence of a session names the versions that it began with.
     */
    readonly get: operations['tickets.read'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    /**
     * Change a ticket
     * @description What is left out stays as it is.
     */
    readonly patch: operations['tickets.update'];
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/tickets/{ticketId}/file-sets': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Begin a file set
     * @description Announces a ticket’s starter or checks: a zip, a tar, a tar.gz, a git bundle or any single file, of at most 5242880 bytes and, unpacked, 500 files. The ending of `name` says how it is read. Its content follows in pieces; once it is complete, the ticket can name it.
     */
    readonly post: operations['fileSets.begin'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/tickets/{ticketId}/file-sets/{fileSetId}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Get a file set
     * @description Go on at `received`.
     */
    readonly get: operations['fileSets.read'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/tickets/{ticketId}/file-sets/{fileSetId}/pieces': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Send a piece of a file set
     * @description At most 131072 bytes, in base64. A piece that was sent before, or begins elsewhere than where the last one ended, changes nothing: go on at `received`.
     */
    readonly post: operations['fileSets.addPiece'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/tickets/{ticketId}/file-sets/{fileSetId}/complete': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Complete a file set
     * @description Once all of its content has arrived. It is unpacked and never changes. Content that is not what was announced, or cannot be taken, is discarded: it may be sent again from its beginning.
     */
    readonly post: operations['fileSets.complete'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/tickets/{ticketId}/file-sets/{fileSetId}/content': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Get the content of a file set */
    readonly get: operations['fileSets.readContent'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/roles/{roleId}/invitations': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Invite a candidate
     * @description Opens an application and its trial session, for 14 days unless `expiresAt` is given. The candidate is written to in `language`, `en` unless given. `candidateName` and `externalId` are erased with the candidate. `retakeOf` names the candidate’s earlier application for the role that this one is a further attempt at: it has its own session, evaluation and outcome, and the earlier one stays as it is.
     */
    readonly post: operations['applications.invite'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/roles/{roleId}/invitations/batch': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Invite several candidates
     * @description Each invitation is answered by itself, in order, as if it had been sent alone: one that is refused keeps no other back. If the organisation may not ask for so many mails today, the whole is answered 429 and nothing is stored. Sent again with the same `Idempotency-Key`, what was opened is answered again and what was not is tried again.
     */
    readonly post: operations['applications.inviteMany'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/applications': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** List applications */
    readonly get: operations['applications.list'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/applications/{applicationId}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Read an application */
    readonly get: operations['applications.read'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    /** Extend an open application */
    readonly patch: operations['applications.extend'];
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/applications/{applicationId}/cancel': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Cancel an open application */
    readonly post: operations['applications.cancel'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/applications/{applicationId}/erasure': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Erase a candidate permanently
     * @description Destroys what the organisation holds about the candidate, in every application of theirs. The erasure is permanent from this answer on; sessions, applications and evaluations show it shortly after. Counts stay as they are.
     */
    readonly post: operations['applications.erase'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/applications/{applicationId}/sign-in-lock': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    readonly post?: never;
    /**
     * Let the candidate ask for codes again
     * @description For an open application whose candidate gets no code because too many were asked for with the address. The answer is the same if there was no lock. It is 404 if the application has ended, and if candidates do not sign in by mailed codes.
     */
    readonly delete: operations['applications.liftSignInLock'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/application-counts': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Count applications
     * @description As many as the lists of each status, outcome and `waiting` have. Where a count is 100000, there may be more.
     */
    readonly get: operations['applications.count'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/applications/{applicationId}/mails': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List the mails to the candidate
     * @description Those that were sent, have failed or are still to come, in the order in which they were planned. Neither addresses nor texts are kept.
     */
    readonly get: operations['applications.mails'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/applications/{applicationId}/mails/{mailId}/resend': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Send a mail again
     * @description One that was sent or has failed, while it still makes sense. It is tried at once, and again for three days if it fails. One that was sent is sent again at the earliest 10 minutes later, and 5 times at most. It counts for the limits as any mail does.
     */
    readonly post: operations['applications.resendMail'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/applications/{applicationId}/remind': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Remind the candidate
     * @description Sends a reminder now, whatever reminders the role has: its text is theirs. Only while the session is open and its interview has not begun, at the earliest 60 minutes after the last one that was asked for, and 6 times at most. It counts for the limits as any mail does.
     */
    readonly post: operations['applications.remind'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/applications/{applicationId}/timeline': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List what was done with a candidate
     * @description The entries of the audit trail that concern the candidate of an application, in every application of theirs in the organisation. Members who may not share reports get none about share links. A page may have fewer entries than were asked for: `nextCursor` continues the list.
     */
    readonly get: operations['applications.timeline'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/applications/{applicationId}/accommodations': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    /**
     * Grant accommodations
     * @description Before or during the session; replaces what was granted as a whole, and an identical one changes nothing. Only the audit trail shows it: scores, findings and reports do not.
     */
    readonly put: operations['applications.setAccommodations'];
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/roles/{roleId}/imports': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Import candidates from a CSV
     * @description Invites each row to the role. The first row names the columns: `candidateEmail`, and any of `candidateName`, `externalId`, `language`, `expiresAt`, as an invitation has them; other columns of an export of applications are passed over. There may be 500 rows. Fields are separated by commas or semicolons, with or without a byte order mark.
     *
     *     All rows are checked first: if one is wrong nothing is stored, and `details` names each fault by row and column, as in `rows[5].candidateEmail`, the header being row 1.
     *
     *     Then the rows are invited one after the other, as the caller; the answer does not wait for that. A row that is refused, for an open application for one, keeps no other back. The same rows sent again within 7 days are the same import, which is answered as it is by then: nobody is invited twice.
     */
    readonly post: operations['imports.begin'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/import-checks': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Check a CSV of candidates
     * @description The rows that an import of this file would invite. If one is wrong, the answer is the one of the import. Nothing is stored and nobody is invited.
     */
    readonly post: operations['imports.check'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/imports': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** List imports of candidates */
    readonly get: operations['imports.list'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/imports/{importId}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read an import of candidates
     * @description How far it is, and which rows were refused.
     */
    readonly get: operations['imports.read'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/import-template': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Get a template for imports
     * @description A CSV with the names of the columns, to be filled in below them.
     */
    readonly get: operations['imports.template'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/trial-sessions/{trialSessionId}/hand-ins': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List what was handed in
     * @description In a trial session, by all its tickets. Members who may not read work get figures alone. It counts as a read of the evaluation, once there is one.
     */
    readonly get: operations['handIns.listForStaff'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/trial-sessions/{trialSessionId}/hand-ins/{handInId}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Get a hand-in
     * @description With its files. It counts as a read of the evaluation, once there is one.
     */
    readonly get: operations['handIns.readForStaff'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/trial-sessions/{trialSessionId}/hand-ins/{handInId}/checks': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Get what the checks said of a hand-in
     * @description Of the visible checks and of all: figures, and for members who may read work each test, with its message, and the output. It counts as a read of the evaluation, once there is one.
     */
    readonly get: operations['handIns.readChecks'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/trial-sessions/{trialSessionId}/hand-ins/{handInId}/file': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Get a file of a hand-in
     * @description It counts as a read of the evaluation, once there is one.
     */
    readonly get: operations['handIns.readFile'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/trial-sessions/{trialSessionId}/hand-ins/{handInId}/difference': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Compare a hand-in with its starter
     * @description With the starter that the session began with, or with an earlier hand-in. By lines. Time and size are bounded: of what would take more, only the hashes are shown. It counts as a read of the evaluation, once there is one.
     */
    readonly get: operations['handIns.compare'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/trial-sessions/{trialSessionId}/outcome': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    /**
     * Record or correct an outcome
     * @description Replaces the current outcome as a whole; an identical one changes nothing.
     */
    readonly put: operations['outcomes.record'];
    readonly post?: never;
    /** Retract an outcome */
    readonly delete: operations['outcomes.retract'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/evaluations': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** List evaluations */
    readonly get: operations['evaluations.list'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/evaluations/{id}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read an evaluation
     * @description While it is being generated: no scores, and the evidence as far as it is known.
     */
    readonly get: operations['evaluations.read'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/evaluations/{evaluationId}/regenerations': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Regenerate an evaluation
     * @description Requests the next generation; the former ones stay readable.
     */
    readonly post: operations['evaluations.regenerate'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/evaluations/{evaluationId}/explanation': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Explain each figure of an evaluation
     * @description The arithmetic from signals, weights and sub-scores to each score and the overall figure, with the evidence quoted. The contributions of a list of terms sum to its `exact`, which rounded half up is the score.
     */
    readonly get: operations['evaluations.explain'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/evaluations/{evaluationId}/history': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read a former state of an evaluation
     * @description The evaluation at a time, with its evidence up to then, folded from the log. Before the evaluation began it is not found. What was erased since is erased from former states too.
     */
    readonly get: operations['evaluations.readPast'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/evaluation-counts': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Count evaluations
     * @description As many as the lists of each status, result and `waiting` have. Where a count is 100000, there may be more.
     */
    readonly get: operations['evaluations.count'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/evaluations/{evaluationId}/reads': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List who read an evaluation
     * @description Every read of the evaluation, of a former generation, its explanation and its history, by any reader; of a shared report by its link, and of an export by the candidate or an operator. A list that shows scores of dimensions counts once for each reader and generation. Each is recorded before it is answered.
     */
    readonly get: operations['evaluations.listReads'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/evaluations/{evaluationId}/contests': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List what the candidate contests
     * @description Oldest first, at most 20, with the answers. It counts as a read of the evaluation.
     */
    readonly get: operations['evaluations.listContests'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/evaluations/{evaluationId}/contests/{contestId}/answer': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Answer a contest
     * @description Once. The candidate sees the answer, and not who gave it.
     */
    readonly post: operations['evaluations.answerContest'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/.well-known/evidence-keys.json': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List the keys that results are signed with
     * @description A JSON Web Key Set of Ed25519 keys, the one of today first. An evaluation’s `evidence.head` names its key by `keyId`; docs/evidence.md describes what is signed.
     */
    readonly get: operations['evidenceKeys.list'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/signal': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read the signal summary
     * @description Counts per role and in total.
     */
    readonly get: operations['signal.read'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/signal/history': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read the signal summary of a time
     * @description The same summary as it was at a time, roles under the names that they had then, folded from the log. Before there was the organisation it is not found.
     */
    readonly get: operations['signal.readPast'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/signal/stages': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read how long applications take
     * @description Per role and in total, for each stage: from the invitation to the start (`started`), from there to the completion (`completed`), to the first evaluation that was ready (`evaluated`), and to the outcome (`decided`). Each application counts once in a stage; a new generation or a corrected outcome changes no time. An erasure changes nothing.
     */
    readonly get: operations['signal.readStages'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/saved-views': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** List saved views */
    readonly get: operations['savedViews.list'];
    readonly put?: never;
    /**
     * Save a view of a list
     * @description A view is the caller’s own, or shared with all members who may read the list. `filter` has the parameters of the list, and `text`, what it is searched for. A member has at most 50 views, no two of a list by the same name; an organisation has at most 100 shared ones.
     */
    readonly post: operations['savedViews.create'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/saved-views/{savedViewId}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Read a saved view */
    readonly get: operations['savedViews.read'];
    readonly put?: never;
    readonly post?: never;
    /**
     * Remove a saved view
     * @description By its maker; a shared one by owners and admins too.
     */
    readonly delete: operations['savedViews.remove'];
    readonly options?: never;
    readonly head?: never;
    /**
     * Change a saved view
     * @description What is left out stays as it is, and so does a `name` that is `null`; `filter` is replaced as a whole. A shared view can be changed by its maker, owners and admins, and only its maker can stop sharing it.
     */
    readonly patch: operations['savedViews.change'];
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/exports/applications': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Export applications as CSV
     * @description A line for each application that the list with the same parameters has, in its order, or for each that `applicationId` chooses. Columns: `applicationId`, `roleId`, `roleName` (as it was at the invitation), `candidateId`, `candidateEmail`, `candidateName`, `externalId`, `language`, `status`, `invitedAt`, `trialSessionId`, `startedAt`, `endedAt`, `expiresAt`, `evaluationId`, `humanRound`, `disposition`, `outcomeReason`, `outcomeRecordedAt`, `candidateUrl` (where to send the candidate), `retakeOf` (the earlier application). What is not known is an empty field.
     *
     *     The file is UTF-8 with a byte order mark, its fields separated by commas and its lines ended by CRLF. A field that begins with `=`, `+`, `-`, `@`, a tab, a carriage return or a line feed has an apostrophe before it, so that no spreadsheet program runs it as a formula; so has one that begins with apostrophes before such a character.
     *
     *     Each export is recorded in the audit trail before anything is sent. The file is sent as it is read: a response that breaks off is not a complete export.
     */
    readonly get: operations['exports.applications'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/exports/evaluations': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Export evaluations as CSV
     * @description A line for each dimension of each evaluation that the list with the same parameters has, in its order; an evaluation without scores has one line. Each evaluation with scores is recorded as read before its lines are sent. Columns: `evaluationId`, `applicationId`, `trialSessionId`, `roleId`, `roleName`, `candidateEmail`, `status`, `generatedAt`, `overallScore`, `passed` (`true` or `false`, by the overall score), `humanRound`, `disposition`, `outcomeReason`, `outcomeRecordedAt`, `dimensionId`, `dimensionName`, `dimensionCategory`, `dimensionWeight`, `dimensionThreshold`, `dimensionScore`, `dimensionPassed`, `uncheckedPoints` (how much higher the score would be if what could not be checked had passed), `candidateName`. What is not known is an empty field.
     *
     *     The file is UTF-8 with a byte order mark, its fields separated by commas and its lines ended by CRLF. A field that begins with `=`, `+`, `-`, `@`, a tab, a carriage return or a line feed has an apostrophe before it, so that no spreadsheet program runs it as a formula; so has one that begins with apostrophes before such a character.
     *
     *     Each export is recorded in the audit trail before anything is sent. The file is sent as it is read: a response that breaks off is not a complete export.
     */
    readonly get: operations['exports.evaluations'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/exports/signal': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Export the signal summary as CSV
     * @description A line for each role, by name; the totals are the sums of the columns. Columns: `roleId`, `roleName`, `trialCompletedCount`, `outcomeRecordedCount`, `awaitingOutcomeCount`, `humanRoundPassed`, `humanRoundFailed`, `hired`, `declined`. What is not known is an empty field.
     *
     *     The file is UTF-8 with a byte order mark, its fields separated by commas and its lines ended by CRLF. A field that begins with `=`, `+`, `-`, `@`, a tab, a carriage return or a line feed has an apostrophe before it, so that no spreadsheet program runs it as a formula; so has one that begins with apostrophes before such a character.
     *
     *     Each export is recorded in the audit trail before anything is sent. The file is sent as it is read: a response that breaks off is not a complete export.
     */
    readonly get: operations['exports.signal'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/trial-sessions/{trialSessionId}/audio/{turn}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Hear the recorded answer of a turn
     * @description A WAV file: PCM, 16 kHz, mono, signed 16 bit. There is one for each spoken answer that was recorded while the organisation had recording turned on. Several ranges at once are answered by the whole.
     */
    readonly get: operations['recordings.read'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/evaluations/{evaluationId}/share-links': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** List the links to a report */
    readonly get: operations['shareLinks.list'];
    readonly put?: never;
    /**
     * Share a report
     * @description Makes a link by which anybody can read the scores of the latest ready generation. The token is shown here and nowhere else.
     */
    readonly post: operations['shareLinks.create'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/evaluations/{evaluationId}/share-links/{shareLinkId}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    readonly post?: never;
    /**
     * Take a link back
     * @description It shows nothing from now on, and stays in the list.
     */
    readonly delete: operations['shareLinks.revoke'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/shared/reports/{token}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read a shared report
     * @description Public. The latest ready generation of the scores, as JSON or, where `Accept` prefers one, as a page or as a PDF. A link that never was, has expired, was taken back or whose candidate was erased is answered alike. Each report that is shown counts as a view; a HEAD shows none.
     */
    readonly get: operations['sharedReports.read'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/shared/reports/{token}/report.pdf': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read a shared report as a PDF
     * @description Public. What `sharedReports.read` answers as a PDF, at an address of its own. A report with characters that no font of the PDF has is refused with `pdf_script_unsupported`, and not counted.
     */
    readonly get: operations['sharedReports.readPdf'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/audit': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List who did what
     * @description Candidates are named by ids that reveal nothing about them. What they did within a session is its evidence, and who read an evaluation is listed there. What a candidate or the visitors of a share link do again to a record on the same day (UTC) is one entry, at the latest time.
     */
    readonly get: operations['audit.list'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/api-keys': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** List API keys */
    readonly get: operations['apiKeys.list'];
    readonly put?: never;
    /**
     * Make an API key
     * @description A program sends the token as `Authorization: Bearer assay_…` on the paths of this organisation. It may do what its scopes say, as far as the maker’s role allows it, and it ends with the maker’s membership, after `expiresInDays` (default 90), or when it is revoked. The token is shown here and nowhere else.
     */
    readonly post: operations['apiKeys.create'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/api-keys/{apiKeyId}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Read an API key */
    readonly get: operations['apiKeys.read'];
    readonly put?: never;
    readonly post?: never;
    /**
     * Revoke an API key
     * @description No request with it is answered from now on. It stays in the list.
     */
    readonly delete: operations['apiKeys.revoke'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/webhooks': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** List webhooks */
    readonly get: operations['webhooks.list'];
    readonly put?: never;
    /**
     * Create a webhook
     * @description Notices are sent to the URL by the Standard Webhooks specification. The secret that they are signed with is shown in this answer alone.
     */
    readonly post: operations['webhooks.create'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/webhooks/{webhookId}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Read a webhook */
    readonly get: operations['webhooks.read'];
    readonly put?: never;
    readonly post?: never;
    /**
     * Delete a webhook
     * @description Its pending deliveries are dropped.
     */
    readonly delete: operations['webhooks.delete'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/webhooks/{webhookId}/rotate-secret': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Rotate a webhook’s secret
     * @description Notices are signed with the new secret from now on, and with the former one too for `formerSecretValidHours` (default 24). 0 ends every former secret at once. The new secret is shown in this answer alone.
     */
    readonly post: operations['webhooks.rotateSecret'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/webhooks/{webhookId}/deliveries': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** List a webhook’s deliveries */
    readonly get: operations['deliveries.list'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/webhooks/{webhookId}/test': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Send a test notice
     * @description Sends a notice of the type `webhook.test`, whatever types the webhook subscribes to. It is tried once; the list of deliveries shows the result.
     */
    readonly post: operations['webhooks.sendTest'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/organisations/{orgId}/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Deliver a notice again
     * @description The notice is sent now, whatever the result of former attempts. Attempts go on for three days until one succeeds.
     */
    readonly post: operations['deliveries.redeliver'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/asyncapi.json': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * The interview’s socket, described
     * @description Every message of it, with examples, and its codes.
     */
    readonly get: operations['asyncApi.read'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/health/live': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Whether the process runs */
    readonly get: operations['health.live'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/health/ready': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Whether the service can be sent requests
     * @description Checks the stores and the views. The answer has no details: anyone may ask. Operators read them on `HEALTH_PORT`.
     */
    readonly get: operations['health.ready'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/metrics': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Figures for Prometheus
     * @description Where `HEALTH_PORT` is set, they are on that port alone, and this path answers 404.
     */
    readonly get: operations['metrics.read'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/openapi.json': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** This document */
    readonly get: operations['openApi.read'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
}
export interface webhooks {
  readonly 'candidate.invited': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** A candidate was invited to a role. */
    readonly post: operations['notices.candidateInvited'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly 'trial.started': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** A candidate started the trial session. */
    readonly post: operations['notices.trialStarted'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly 'trial.completed': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** A trial session was completed; its evaluation is being generated. */
    readonly post: operations['notices.trialCompleted'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly 'trial.expired': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** A trial session expired before it was completed. */
    readonly post: operations['notices.trialExpired'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly 'trial.withdrawn': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** A trial session was withdrawn, by the candidate, by staff or by an erasure. */
    readonly post: operations['notices.trialWithdrawn'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly 'evaluation.ready': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** An evaluation, or a further generation of it, is ready. */
    readonly post: operations['notices.evaluationReady'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly 'evaluation.failed': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** An evaluation could not be generated. */
    readonly post: operations['notices.evaluationFailed'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly 'evaluation.contested': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** A candidate contested something of the evaluation: answer it. */
    readonly post: operations['notices.evaluationContested'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly 'outcome.recorded': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** An outcome was recorded or corrected. */
    readonly post: operations['notices.outcomeRecorded'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly 'erasure.requested': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** A candidate asked to be erased: erase the candidate, or answer why not. */
    readonly post: operations['notices.erasureRequested'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly 'candidate.erased': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** A candidate was erased: delete what you keep about them. */
    readonly post: operations['notices.candidateErased'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly 'webhook.test': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Staff asked for a test. It is tried once. */
    readonly post: operations['notices.webhookTest'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
}
export interface components {
  schemas: {
    readonly AccommodationRequest: {
      readonly text: string;
      /** Format: date-time */
      readonly requestedAt: string;
    };
    readonly Accommodations: {
      /** @description The interview’s time limit and pauses are so many times as long. */
      readonly timeFactor: number;
      /** @description The candidate types instead of speaking. */
      readonly typedOnly: boolean;
      /** @description What is spoken is always shown as text. */
      readonly captions: boolean;
    };
    /** @description Something that the candidate did, in at most 16384 bytes of JSON. `eventType` decides what the payload holds. */
    readonly Activity:
      | components['schemas']['MessageSentActivity']
      | components['schemas']['TicketStartedActivity']
      | components['schemas']['TicketFinishedActivity']
      | components['schemas']['FileChangedActivity']
      | components['schemas']['TestRunActivity']
      | components['schemas']['ClipboardPastedActivity']
      | components['schemas']['PageHiddenActivity']
      | components['schemas']['PageShownActivity']
      | components['schemas']['FullscreenExitedActivity']
      | components['schemas']['NetworkChangedActivity']
      | components['schemas']['OtherActivity'];
    readonly ActivityReceipt: {
      readonly accepted: number;
      readonly duplicates: number;
      readonly lastSequenceNumber: number;
    };
    readonly Actor: {
      readonly type: components['schemas']['ActorType'];
      readonly id: string;
    };
    /** @enum {string} */
    readonly ActorType: 'staff' | 'api_key' | 'candidate' | 'operator' | 'share_link' | 'system';
    readonly AddMember:
      components['schemas']['AddMemberByEmail'] | components['schemas']['AddMemberBySubject'];
    readonly AddMemberByEmail: {
      /** Format: email */
      readonly email: string;
      readonly role: components['schemas']['MemberRole'];
    };
    readonly AddMemberBySubject: {
      readonly subject: string;
      readonly role: components['schemas']['MemberRole'];
    };
    readonly AddPiece: {
      readonly offset: number;
      readonly data: string;
    };
    /**
     * @description Whether candidates may use AI assistants: `forbidden`, `allowed`, or `provided`, which allows the one that the organisation provides and no other. The notice says so.
     * @enum {string}
     */
    readonly AiPolicy: 'forbidden' | 'allowed' | 'provided';
    readonly AnswerContest: {
      readonly text: string;
    };
    /** @enum {string} */
    readonly AnswerSource: 'typed' | 'speech' | 'transcribed';
    readonly ApiKey: {
      /** Format: uuid */
      readonly id: string;
      /** @description As it was given; `null` once it can no longer be read. */
      readonly name: string | null;
      /** @description What it may do, as far as the role of its maker still allows it. */
      readonly scopes: readonly components['schemas']['ApiKeyScope'][];
      readonly status: components['schemas']['ApiKeyStatus'];
      /** Format: date-time */
      readonly createdAt: string;
      /** @description The subject of the member who made it. */
      readonly createdBy: string;
      /** Format: date-time */
      readonly expiresAt: string;
      /** Format: date-time */
      readonly revokedAt: string | null;
      /**
       * Format: date-time
       * @description To the minute. `null`: never, or not since the service was restored from a backup or moved.
       */
      readonly lastUsedAt: string | null;
    };
    readonly ApiKeyPage: {
      readonly items: readonly components['schemas']['ApiKey'][];
      /** @description The `cursor` of the next page; `null` on the last. */
      readonly nextCursor: string | null;
    };
    /** @enum {string} */
    readonly ApiKeyScope:
      | 'organisation.write'
      | 'webhooks.manage'
      | 'candidates.erase'
      | 'audit.read'
      | 'reads.read'
      | 'roles.write'
      | 'candidates.invite'
      | 'outcomes.record'
      | 'evaluations.regenerate'
      | 'reports.share'
      | 'audio.hear'
      | 'work.read'
      | 'data.export'
      | 'organisation.read'
      | 'roles.read'
      | 'applications.read'
      | 'evaluations.read'
      | 'signal.read';
    /** @enum {string} */
    readonly ApiKeyStatus: 'active' | 'expired' | 'revoked' | 'maker_removed';
    readonly Application: {
      /** Format: uuid */
      readonly id: string;
      /** Format: uuid */
      readonly organisationId: string;
      /** Format: uuid */
      readonly roleId: string;
      readonly roleName: string;
      readonly candidateEmail: string | null;
      readonly candidateName: string | null;
      readonly language: components['schemas']['Language'];
      readonly status: components['schemas']['ApplicationStatus'];
      /** Format: date-time */
      readonly invitedAt: string;
      readonly trialSessions: readonly components['schemas']['TrialSession'][];
      /**
       * Format: date-time
       * @description When the candidate asked to be erased.
       */
      readonly erasureRequestedAt: string | null;
      readonly version: number;
      /**
       * Format: uuid
       * @description The same in all applications of one candidate, and in what webhooks are sent about them.
       */
      readonly candidateId: string;
      /** @description The organisation’s own id of the candidate, as the invitation gave it. */
      readonly externalId: string | null;
      /**
       * Format: uuid
       * @description The candidate’s earlier application for the role that this one is a further attempt at.
       */
      readonly retakeOf: string | null;
      readonly accommodations: components['schemas']['Accommodations'];
      readonly accommodationRequest: components['schemas']['AccommodationRequest'] | null;
      readonly outcome: components['schemas']['Outcome'] | null;
      readonly mailProblem: components['schemas']['MailProblem'] | null;
      /**
       * Format: uri
       * @description Where to send the candidate.
       */
      readonly candidateUrl: string;
    };
    readonly ApplicationCounts: {
      readonly status: components['schemas']['ApplicationsByStatus'];
      readonly outcome: components['schemas']['ApplicationsByOutcome'];
      readonly waiting: components['schemas']['ApplicationsWaiting'];
    };
    readonly ApplicationExport: {
      readonly subject: string | null;
      readonly application: components['schemas']['ExportedApplication'];
      readonly trialSessions: readonly components['schemas']['TrialSession'][];
      readonly evidence: components['schemas']['Evidence'];
      readonly evaluations: readonly components['schemas']['ExportedEvaluation'][];
      readonly contests: readonly components['schemas']['OwnContest'][];
      readonly feedback: components['schemas']['Feedback'] | null;
      readonly outcome: components['schemas']['ExportedOutcome'] | null;
      readonly outcomeHistory: readonly components['schemas']['FormerOutcome'][];
      readonly recordings: readonly components['schemas']['ExportedRecording'][];
      readonly handIns: readonly components['schemas']['ExportedHandIn'][];
    };
    readonly ApplicationMails: {
      readonly items: readonly components['schemas']['Mail'][];
    };
    /** @enum {string} */
    readonly ApplicationOrder: 'invitedAt' | '-invitedAt' | 'roleName' | '-roleName';
    readonly ApplicationPage: {
      readonly items: readonly components['schemas']['Application'][];
      /** @description The `cursor` of the next page; `null` on the last. */
      readonly nextCursor: string | null;
    };
    /** @enum {string} */
    readonly ApplicationStatus: 'invited' | 'in_progress' | 'completed' | 'withdrawn' | 'expired' | 'erased';
    readonly ApplicationSummary: {
      /** Format: uuid */
      readonly id: string;
      readonly organisationName: string;
      readonly roleName: string;
      readonly status: components['schemas']['ApplicationStatus'];
      readonly trialSessions: readonly components['schemas']['TrialSessionSummary'][];
    };
    readonly ApplicationsByOutcome: {
      readonly none: number;
      readonly passed: number;
      readonly failed: number;
      readonly hired: number;
      readonly declined: number;
    };
    readonly ApplicationsByStatus: {
      readonly invited: number;
      readonly in_progress: number;
      readonly completed: number;
      readonly withdrawn: number;
      readonly expired: number;
      readonly erased: number;
    };
    readonly ApplicationsWaiting: {
      readonly outcome: number;
      readonly expiring: number;
      readonly accommodation: number;
      readonly erasure: number;
    };
    /**
     * @default zip
     * @enum {string}
     */
    readonly ArchiveFormat: 'zip' | 'tar';
    readonly AskedBy: {
      readonly interviewer: components['schemas']['InterviewerName'];
      readonly version: number;
      /** @description `null` for the scripted interviewer. */
      readonly model: string | null;
      /** @description Why the scripted interviewer replaced a model; `null` if it did not. */
      readonly instead: string | null;
    };
    readonly AuditEntry: {
      /**
       * Format: uuid
       * @description The entry’s own id.
       */
      readonly id: string;
      /** Format: date-time */
      readonly at: string;
      readonly actor: components['schemas']['Actor'];
      readonly action: string;
      readonly subject: components['schemas']['AuditSubject'];
    };
    readonly AuditEntryPage: {
      readonly items: readonly components['schemas']['AuditEntry'][];
      /** @description The `cursor` of the next page; `null` on the last. */
      readonly nextCursor: string | null;
    };
    readonly AuditSubject: {
      readonly type: components['schemas']['AuditSubjectType'];
      /** Format: uuid */
      readonly id: string;
    };
    /** @enum {string} */
    readonly AuditSubjectType:
      | 'organisation'
      | 'member'
      | 'role'
      | 'candidate'
      | 'application'
      | 'trial_session'
      | 'evaluation'
      | 'share_link'
      | 'api_key'
      | 'webhook'
      | 'delivery';
    readonly BeginFileSet: {
      readonly name: string;
      readonly sha256: string;
      readonly bytes: number;
    };
    readonly BeginHandIn: {
      readonly name: string;
      readonly sha256: string;
      readonly bytes: number;
    };
    readonly Briefing: {
      /** Format: uuid */
      readonly trialSessionId: string;
      /** Format: uuid */
      readonly applicationId: string;
      readonly organisationName: string;
      readonly organisationLogo: components['schemas']['Logo'] | null;
      /** @description The organisation’s, in which mails show the time limit. */
      readonly timeZone: string;
      readonly roleName: string;
      readonly candidateName: string | null;
      readonly language: components['schemas']['Language'];
      /** @description Markdown: headings, paragraphs, lists, quotes, code, tables, rules, emphasis and links. Anything else, such as HTML, is shown as text; an image is shown as a link. */
      readonly instructions: string | null;
      readonly timeFrameMinutes: number | null;
      /** Format: date-time */
      readonly expiresAt: string;
      readonly tickets: readonly components['schemas']['BriefingTicket'][];
      readonly notice: components['schemas']['RoleNotice'];
      readonly accommodations: components['schemas']['Accommodations'];
      readonly accommodationRequest: components['schemas']['AccommodationRequest'] | null;
    };
    readonly BriefingTicket: {
      readonly id: string;
      readonly version: number | null;
      readonly title: string | null;
      /** @description Markdown: headings, paragraphs, lists, quotes, code, tables, rules, emphasis and links. Anything else, such as HTML, is shown as text; an image is shown as a link. */
      readonly description: string | null;
      readonly links: readonly components['schemas']['TicketLink'][];
      readonly estimatedMinutes: number | null;
      readonly kind: components['schemas']['TicketKind'] | null;
      readonly starter: components['schemas']['FileSet'] | null;
      readonly visibleChecks: components['schemas']['FileSet'] | null;
      /** @description Further checks run over what is handed in. Their files and names are not shown. */
      readonly hasHiddenChecks: boolean;
      readonly progress: components['schemas']['TicketProgress'] | null;
      /**
       * @description The briefing would be too large: the description, the links, the starter and the visible checks are left out, read the ticket by itself.
       * @constant
       */
      readonly contentLeftOut?: true;
    };
    readonly CandidateErasedNotice: {
      /** @constant */
      readonly type: 'candidate.erased';
      /** Format: date-time */
      readonly timestamp: string;
      readonly data: components['schemas']['CandidateErasedNoticeData'];
    };
    readonly CandidateErasedNoticeData: {
      /** Format: uuid */
      readonly organisationId: string;
      /** Format: uuid */
      readonly candidateId: string;
      readonly applicationIds: readonly string[];
    };
    readonly CandidateImport: {
      /** Format: uuid */
      readonly id: string;
      /** Format: uuid */
      readonly organisationId: string;
      /** Format: uuid */
      readonly roleId: string;
      /** Format: date-time */
      readonly createdAt: string;
      /** @description The subject of the member, or the id of the API key, that began it. */
      readonly createdBy: string;
      readonly status: components['schemas']['ImportStatus'];
      readonly rowCount: number;
      readonly invitedCount: number;
      readonly refused: readonly components['schemas']['RefusedRow'][];
      /**
       * Format: date-time
       * @description What the rows say is dropped then. A row that was not invited by then never is.
       */
      readonly rowsDroppedAt: string;
    };
    readonly CandidateImportPage: {
      readonly items: readonly components['schemas']['CandidateImport'][];
      /** @description The `cursor` of the next page; `null` on the last. */
      readonly nextCursor: string | null;
    };
    readonly CandidateInvitedNotice: {
      /** @constant */
      readonly type: 'candidate.invited';
      /** Format: date-time */
      readonly timestamp: string;
      readonly data: components['schemas']['CandidateInvitedNoticeData'];
    };
    readonly CandidateInvitedNoticeData: {
      /** Format: uuid */
      readonly organisationId: string;
      /** Format: uuid */
      readonly candidateId: string;
      /** Format: uuid */
      readonly applicationId: string;
      /** Format: uuid */
      readonly trialSessionId: string;
      /** Format: uuid */
      readonly roleId: string;
    };
    /** @enum {string} */
    readonly CandidateResults: 'nothing' | 'result' | 'result_with_explanation';
    readonly ChangeSavedView: {
      readonly name?: string | null;
      readonly filter?: components['schemas']['SavedViewFilter'];
      readonly shared?: boolean;
    };
    /**
     * @description Why there is no result. It is about the run, never about the candidate.
     * @enum {string}
     */
    readonly CheckFailure:
      | 'no_checker'
      | 'isolation'
      | 'not_started'
      | 'unavailable'
      | 'failed'
      | 'killed'
      | 'timed_out'
      | 'too_much_output'
      | 'too_much_stored'
      | 'no_results'
      | 'unreadable_results'
      | 'results_too_large'
      | 'no_tests'
      | 'work_did_not_run'
      | 'ended_processes'
      | 'given_up';
    /**
     * @description `separate`: the work runs apart from its checks and cannot influence their result. `shared`: both run in one process.
     * @enum {string}
     */
    readonly CheckIsolation: 'separate' | 'shared';
    /** @enum {string} */
    readonly CheckOutcome: 'checked' | 'error';
    readonly CheckRunner: {
      readonly name: string;
      readonly digest: string;
    };
    readonly CheckedRow: {
      /** @description As a spreadsheet counts: the header is row 1. */
      readonly row: number;
      readonly candidateEmail: string;
      readonly candidateName: string | null;
      readonly language: components['schemas']['Language'];
      /** Format: date-time */
      readonly expiresAt: string | null;
    };
    readonly CheckedSets: {
      /** @description Of the manifest of the checks that were run; `null`: none. */
      readonly visible: string | null;
      /** @description Of the manifest of the checks that were run; `null`: none. */
      readonly hidden: string | null;
    };
    readonly CheckedTest: {
      readonly name: string;
      readonly status: components['schemas']['CheckedTestStatus'];
      readonly message: string | null;
    };
    /** @enum {string} */
    readonly CheckedTestStatus: 'pass' | 'fail' | 'error';
    /**
     * @description Text was pasted. Findings: `paste_burst` and `prompt_copied`.
     * @example {
     *       "clientEventId": "0197f0a4-7d20-7a11-8c55-2b3c4d5e6f70",
     *       "eventType": "clipboard.pasted",
     *       "occurredAt": "2026-01-05T09:12:00.000Z",
     *       "payload": {
     *         "characters": 260,
     *         "nonBlankCharacters": 214,
     *         "source": "prompt"
     *       }
     *     }
     */
    readonly ClipboardPastedActivity: {
      /** @description Chosen by the client. An event whose id the session knows is a duplicate. */
      readonly clientEventId: string;
      /** @constant */
      readonly eventType: 'clipboard.pasted';
      /** Format: date-time */
      readonly occurredAt: string;
      readonly payload: components['schemas']['ClipboardPastedPayload'];
    };
    readonly ClipboardPastedPayload: {
      /** @description Characters of the text. */
      readonly characters: number;
      /** @description Those of them that are not white space. */
      readonly nonBlankCharacters: number;
      /** @description Where the text comes from. `prompt`: from the task itself. */
      readonly source?: string;
    } & {
      readonly [key: string]: unknown;
    };
    readonly CloneRole: {
      /** @description It is shown in mails: it must not hold an e-mail address, the address of a page, control characters or marks of direction. */
      readonly name?: string;
    };
    readonly Contest: {
      /** Format: uuid */
      readonly id: string;
      readonly about: components['schemas']['ContestedPart'];
      /** @description `null` once it can no longer be read. */
      readonly text: string | null;
      /** Format: date-time */
      readonly createdAt: string;
      readonly answer: components['schemas']['ContestAnswer'] | null;
    };
    readonly ContestAbout: {
      readonly kind: components['schemas']['ContestedKind'];
      readonly reference?: string;
    };
    readonly ContestAnswer: {
      /** @description `null` once it can no longer be read. */
      readonly text: string | null;
      /** Format: date-time */
      readonly answeredAt: string;
      /** @description The subject of the member who answered. */
      readonly answeredBy: string;
    };
    readonly ContestEvaluation: {
      readonly about: components['schemas']['ContestAbout'];
      readonly text: string;
    };
    /** @enum {string} */
    readonly ContestedKind: 'quote' | 'transcript' | 'finding' | 'score';
    readonly ContestedPart: {
      readonly kind: components['schemas']['ContestedKind'];
      /** @description As the candidate named it. */
      readonly reference: string | null;
    };
    readonly Contests: {
      readonly items: readonly components['schemas']['Contest'][];
    };
    readonly CreateApiKey: {
      readonly name: string;
      readonly scopes: readonly components['schemas']['ApiKeyScope'][];
      readonly expiresInDays?: number;
    };
    readonly CreateDimension: {
      readonly name: string;
      readonly weight: number;
      readonly category: string;
      readonly threshold?: number | null;
      readonly rubric?: string | null;
    };
    readonly CreateNotice: {
      readonly version: string;
      readonly text: string;
    };
    readonly CreateQuestion: {
      readonly text: string;
      readonly dimensionName?: string | null;
    };
    readonly CreateRole: {
      /** @description It is shown in mails: it must not hold an e-mail address, the address of a page, control characters or marks of direction. */
      readonly name: string;
      readonly overallThreshold: number;
      readonly dimensions: readonly components['schemas']['CreateDimension'][];
      readonly ticketIds?: readonly string[];
      readonly questions?: readonly components['schemas']['CreateQuestion'][];
      readonly instructions?: string | null;
      readonly timeFrameMinutes?: number | null;
      readonly notice?: components['schemas']['CreateNotice'] | null;
      readonly reminderDays?: readonly number[];
      readonly answerPauseMs?: number;
      readonly aiPolicy?: components['schemas']['AiPolicy'] | null;
    };
    readonly CreateRoleFromTemplate: {
      readonly template: components['schemas']['RoleTemplateId'];
      readonly language?: components['schemas']['Language'];
      /** @description It is shown in mails: it must not hold an e-mail address, the address of a page, control characters or marks of direction. */
      readonly name?: string;
    };
    readonly CreateSavedView: {
      readonly list: components['schemas']['SavedViewList'];
      readonly name: string;
      readonly filter: components['schemas']['SavedViewFilter'];
      readonly shared?: boolean;
    };
    readonly CreateShareLink: {
      readonly expiresInDays?: number;
      readonly label?: string | null;
    };
    readonly CreateTicket: {
      readonly title: string;
      readonly description?: string | null;
      readonly links?: readonly components['schemas']['WriteTicketLink'][];
      readonly estimatedMinutes?: number | null;
      readonly kind?: components['schemas']['TicketKind'] | null;
    };
    readonly CreateWebhook: {
      /** @description An absolute https URL of a host in the public internet, without a user name, a password or a fragment. */
      readonly url: string;
      readonly events: readonly components['schemas']['NoticeType'][];
    };
    /** @enum {string} */
    readonly DeliveredType:
      | 'candidate.invited'
      | 'trial.started'
      | 'trial.completed'
      | 'trial.expired'
      | 'trial.withdrawn'
      | 'evaluation.ready'
      | 'evaluation.failed'
      | 'evaluation.contested'
      | 'outcome.recorded'
      | 'erasure.requested'
      | 'candidate.erased'
      | 'webhook.test';
    /** @enum {string} */
    readonly DeliveryFault:
      | 'timeout'
      | 'unresolved'
      | 'private_address'
      | 'unreachable'
      | 'tls'
      | 'bad_answer'
      | 'webhook_deleted'
      | 'held';
    /** @enum {string} */
    readonly DeliveryStatus: 'pending' | 'delivered' | 'failed';
    readonly Detection: {
      /** Format: uuid */
      readonly eventId: string;
      readonly detector: string;
      readonly version: number;
      readonly likelihood: number;
    };
    readonly Dimension: {
      /** Format: uuid */
      readonly id: string;
      readonly name: string;
      readonly weight: number;
      readonly category: string;
      readonly threshold: number | null;
      readonly rubric: string | null;
    };
    /** @enum {string} */
    readonly DimensionCategory: 'process' | 'correctness';
    readonly DimensionMeasures: {
      /** Format: uuid */
      readonly dimensionId: string;
      readonly dimensionName: string;
      readonly dimensionCategory: string;
      readonly signals: readonly components['schemas']['SignalMeasure'][];
      /** @description As in the role’s `warnings`. */
      readonly warning: string | null;
      readonly warningCode: components['schemas']['MeasureWarning'] | null;
      readonly refusedChecks: components['schemas']['RefusedChecks'] | null;
    };
    readonly DimensionTerm: {
      readonly signal: string;
      readonly value: number;
      readonly weight: number;
      /** @description At most 6 decimal places. */
      readonly contribution: number;
      /** @description Who vouches for what the term rests on. */
      readonly sources: readonly components['schemas']['EvidenceSource'][];
      /** @description The same as a sentence. */
      readonly vouchedBy: string;
      readonly evidence: readonly components['schemas']['QuotedEvidence'][];
    };
    /** @enum {string} */
    readonly Disposition: 'hired' | 'declined';
    readonly DispositionCounts: {
      readonly hired: number;
      readonly declined: number;
    };
    readonly ErasureReceipt: {
      /** Format: uuid */
      readonly applicationId: string;
      /** @constant */
      readonly status: 'erased';
    };
    readonly ErasureRequest: {
      /** Format: date-time */
      readonly requestedAt: string;
    };
    readonly ErasureRequestedNotice: {
      /** @constant */
      readonly type: 'erasure.requested';
      /** Format: date-time */
      readonly timestamp: string;
      readonly data: components['schemas']['ErasureRequestedNoticeData'];
    };
    readonly ErasureRequestedNoticeData: {
      /** Format: uuid */
      readonly organisationId: string;
      /** Format: uuid */
      readonly candidateId: string;
      /** Format: uuid */
      readonly applicationId: string;
      /** Format: uuid */
      readonly trialSessionId: string;
      /** Format: uuid */
      readonly roleId: string;
    };
    readonly Error: {
      /** @description A sentence for the reader. */
      readonly error: string;
      readonly code: components['schemas']['ErrorCode'];
      readonly requestId: string;
      readonly details?: readonly components['schemas']['ErrorDetail'][];
    } & {
      readonly [key: string]: unknown;
    };
    /** @enum {string} */
    readonly ErrorCode:
      | 'validation_failed'
      | 'not_found'
      | 'idempotency_key_reused'
      | 'conflict'
      | 'version_mismatch'
      | 'role_draft'
      | 'role_archived'
      | 'already_invited'
      | 'erased'
      | 'forbidden'
      | 'already_member'
      | 'last_owner'
      | 'application_closed'
      | 'trial_not_completed'
      | 'too_many_requests'
      | 'not_started'
      | 'session_ended'
      | 'notice_changed'
      | 'session_full'
      | 'nothing_to_hand_in'
      | 'hand_ins_full'
      | 'hand_in_incomplete'
      | 'evaluation_generating'
      | 'nothing_released'
      | 'too_many_contests'
      | 'already_answered'
      | 'evaluation_not_ready'
      | 'already_given'
      | 'mail_pending'
      | 'mail_resend_limited'
      | 'mail_pointless'
      | 'work_refused'
      | 'malformed_json'
      | 'missing_token'
      | 'invalid_token'
      | 'method_not_allowed'
      | 'too_large'
      | 'unsupported_media_type'
      | 'range_not_satisfiable'
      | 'too_far'
      | 'pdf_script_unsupported'
      | 'rate_limited'
      | 'internal'
      | 'unavailable'
      | 'view_parked';
    readonly ErrorDetail: {
      /** @description As in `dimensions[2].weight`. */
      readonly path: string;
      /** @description The name of the broken rule. */
      readonly rule: string;
      /** @description A sentence for the reader. */
      readonly message: string;
    };
    readonly Evaluation: {
      /** Format: uuid */
      readonly id: string;
      /** Format: uuid */
      readonly applicationId: string;
      /** Format: uuid */
      readonly trialSessionId: string;
      /** Format: uuid */
      readonly roleId: string;
      readonly roleName: string;
      readonly candidateEmail: string | null;
      readonly status: components['schemas']['EvaluationStatus'];
      readonly overallScore: number | null;
      readonly passed: boolean | null;
      /** Format: date-time */
      readonly generatedAt: string | null;
      readonly version: number;
      readonly generation: number;
      readonly overallThreshold: number;
      readonly scoredBy: components['schemas']['ScoredBy'] | null;
      /** @description Why it failed; `null` unless it did. */
      readonly failure: string | null;
      readonly scores: readonly components['schemas']['Score'][];
      readonly evidence: components['schemas']['Evidence'];
      readonly integrity: readonly components['schemas']['IntegrityFinding'][];
    };
    readonly EvaluationContestedNotice: {
      /** @constant */
      readonly type: 'evaluation.contested';
      /** Format: date-time */
      readonly timestamp: string;
      readonly data: components['schemas']['EvaluationContestedNoticeData'];
    };
    readonly EvaluationContestedNoticeData: {
      /** Format: uuid */
      readonly organisationId: string;
      /** Format: uuid */
      readonly candidateId: string;
      /** Format: uuid */
      readonly applicationId: string;
      /** Format: uuid */
      readonly trialSessionId: string;
      /** Format: uuid */
      readonly roleId: string;
      /** Format: uuid */
      readonly evaluationId: string;
    };
    readonly EvaluationCounts: {
      readonly status: components['schemas']['EvaluationsByStatus'];
      readonly passed: components['schemas']['EvaluationsByResult'];
      readonly waiting: components['schemas']['EvaluationsWaiting'];
    };
    readonly EvaluationFailedNotice: {
      /** @constant */
      readonly type: 'evaluation.failed';
      /** Format: date-time */
      readonly timestamp: string;
      readonly data: components['schemas']['EvaluationFailedNoticeData'];
    };
    readonly EvaluationFailedNoticeData: {
      /** Format: uuid */
      readonly organisationId: string;
      /** Format: uuid */
      readonly candidateId: string;
      /** Format: uuid */
      readonly applicationId: string;
      /** Format: uuid */
      readonly trialSessionId: string;
      /** Format: uuid */
      readonly roleId: string;
      /** Format: uuid */
      readonly evaluationId: string;
    };
    /** @enum {string} */
    readonly EvaluationOrder: 'completedAt' | '-completedAt' | 'overallScore' | '-overallScore';
    readonly EvaluationRead: {
      readonly actor: components['schemas']['Reader'];
      /** Format: date-time */
      readonly at: string;
    };
    readonly EvaluationReadPage: {
      readonly items: readonly components['schemas']['EvaluationRead'][];
      /** @description The `cursor` of the next page; `null` on the last. */
      readonly nextCursor: string | null;
    };
    readonly EvaluationReadyNotice: {
      /** @constant */
      readonly type: 'evaluation.ready';
      /** Format: date-time */
      readonly timestamp: string;
      readonly data: components['schemas']['EvaluationReadyNoticeData'];
    };
    readonly EvaluationReadyNoticeData: {
      /** Format: uuid */
      readonly organisationId: string;
      /** Format: uuid */
      readonly candidateId: string;
      /** Format: uuid */
      readonly applicationId: string;
      /** Format: uuid */
      readonly trialSessionId: string;
      /** Format: uuid */
      readonly roleId: string;
      /** Format: uuid */
      readonly evaluationId: string;
    };
    /** @enum {string} */
    readonly EvaluationStatus: 'generating' | 'ready' | 'failed';
    readonly EvaluationSummary: {
      /** Format: uuid */
      readonly id: string;
      /** Format: uuid */
      readonly applicationId: string;
      /** Format: uuid */
      readonly trialSessionId: string;
      /** Format: uuid */
      readonly roleId: string;
      readonly roleName: string;
      readonly candidateEmail: string | null;
      readonly status: components['schemas']['EvaluationStatus'];
      readonly overallScore: number | null;
      readonly passed: boolean | null;
      /** Format: date-time */
      readonly generatedAt: string | null;
      readonly version: number;
      /** @description As the invitation gave it. */
      readonly candidateName: string | null;
      readonly outcome: components['schemas']['Outcome'] | null;
      /** @description With `scores=dimensions` alone. Empty unless the evaluation is ready, and once its candidate is erased. */
      readonly scores?: readonly components['schemas']['ScoreSummary'][];
    };
    readonly EvaluationSummaryPage: {
      readonly items: readonly components['schemas']['EvaluationSummary'][];
      /** @description The `cursor` of the next page; `null` on the last. */
      readonly nextCursor: string | null;
    };
    readonly EvaluationsByResult: {
      readonly true: number;
      readonly false: number;
    };
    readonly EvaluationsByStatus: {
      readonly generating: number;
      readonly ready: number;
      readonly failed: number;
    };
    readonly EvaluationsWaiting: {
      readonly failed: number;
      readonly contested: number;
      readonly overdue: number;
    };
    readonly Evidence: {
      readonly events: readonly components['schemas']['EvidenceEvent'][];
      readonly questions: readonly components['schemas']['Question'][];
      readonly head: components['schemas']['EvidenceHead'] | null;
    };
    readonly EvidenceEvent: {
      /** Format: uuid */
      readonly id: string;
      readonly kind: components['schemas']['EvidenceKind'];
      readonly source: components['schemas']['EvidenceSource'];
      readonly sequenceNumber: number;
      readonly eventType: string;
      readonly payload: {
        readonly [key: string]: unknown;
      } | null;
      /** Format: date-time */
      readonly occurredAt: string;
      /** Format: date-time */
      readonly recordedAt: string;
      /** @description SHA-256 in lower-case hex. */
      readonly hash: string | null;
      /** @description SHA-256 in lower-case hex. */
      readonly previousHash: string | null;
    };
    /** @description What a result rests on: the last event of the session’s chain. `resultHash`, `signature` and `keyId` are `null` if a result was never chained or signed. */
    readonly EvidenceHead: {
      readonly sequenceNumber: number;
      /** @description SHA-256 in lower-case hex. */
      readonly hash: string | null;
      /** @description SHA-256 in lower-case hex. */
      readonly resultHash: string | null;
      readonly signature: string | null;
      readonly keyId: string | null;
    };
    readonly EvidenceKey: {
      /** @constant */
      readonly kty: 'OKP';
      /** @constant */
      readonly crv: 'Ed25519';
      readonly x: string;
      readonly kid: string;
      /** @constant */
      readonly use: 'sig';
      /** @constant */
      readonly alg: 'EdDSA';
    };
    readonly EvidenceKeys: {
      readonly keys: readonly components['schemas']['EvidenceKey'][];
    };
    /** @enum {string} */
    readonly EvidenceKind: 'lifecycle' | 'message' | 'activity' | 'integrity' | 'system';
    /**
     * @description `service`: the service did it or saw it. `checker`: the organisation’s checker ran its tests over what was handed in. `candidate`: the candidate’s page or programs report it, unchecked.
     * @enum {string}
     */
    readonly EvidenceSource: 'service' | 'checker' | 'candidate';
    readonly ExplainedDimension: {
      /** Format: uuid */
      readonly dimensionId: string;
      readonly score: number;
      /** @description What the contributions sum to, at most 6 decimal places. */
      readonly exact: number;
      readonly terms: readonly components['schemas']['DimensionTerm'][];
      /** @description Signals that have no part in the score: the others share the 100 points. */
      readonly leftOut: readonly components['schemas']['LeftOutSignal'][];
      readonly unchecked: components['schemas']['UncheckedWork'] | null;
      /** @description What the score does not prove: what could not be checked and what that costs at most, and what the score rests on if no check vouches for it. `null`: nothing. */
      readonly caveat: string | null;
    };
    readonly ExplainedFinding: {
      readonly kind: components['schemas']['FindingKind'];
      readonly ruleVersion: number;
      readonly inputs: {
        readonly [key: string]: number | string;
      };
      readonly evidenceEventIds: readonly string[];
    };
    readonly ExplainedOverall: {
      readonly score: number | null;
      /** @description What the contributions sum to, at most 6 decimal places. */
      readonly exact: number | null;
      readonly terms: readonly components['schemas']['OverallTerm'][];
    };
    /** @description Each `score` is its `exact` rounded half up; both are `null` if the weights sum to 0. `integrity` has the figures and thresholds that each finding’s rule compared, in the order of the evaluation’s findings. */
    readonly Explanation: {
      /** Format: uuid */
      readonly evaluationId: string;
      readonly generation: number;
      readonly ruleSet: string;
      readonly scoredBy: components['schemas']['ScoredBy'];
      readonly overall: components['schemas']['ExplainedOverall'];
      readonly dimensions: readonly components['schemas']['ExplainedDimension'][];
      readonly integrity: readonly components['schemas']['ExplainedFinding'][];
    };
    readonly Export: {
      /** Format: date-time */
      readonly exportedAt: string;
      readonly organisations: readonly components['schemas']['OrganisationExport'][];
    };
    readonly ExportedApplication: {
      /** Format: uuid */
      readonly id: string;
      /** Format: uuid */
      readonly organisationId: string;
      /** Format: uuid */
      readonly roleId: string;
      readonly roleName: string;
      readonly candidateEmail: string | null;
      readonly candidateName: string | null;
      readonly language: components['schemas']['Language'];
      readonly status: components['schemas']['ApplicationStatus'];
      /** Format: date-time */
      readonly invitedAt: string;
      readonly trialSessions: readonly components['schemas']['TrialSession'][];
      /**
       * Format: date-time
       * @description When the candidate asked to be erased.
       */
      readonly erasureRequestedAt: string | null;
      readonly version: number;
      readonly externalId: string | null;
      /** Format: uuid */
      readonly retakeOf: string | null;
      readonly accommodations: components['schemas']['Accommodations'];
      readonly accommodationRequest: components['schemas']['AccommodationRequest'] | null;
      readonly outcome: components['schemas']['ExportedOutcome'] | null;
      readonly mailProblem: components['schemas']['MailProblem'] | null;
    };
    /** @description One generation. `explanation`, with every term and quote, is `null` without a result. */
    readonly ExportedEvaluation: {
      /** Format: uuid */
      readonly id: string;
      /** Format: uuid */
      readonly applicationId: string;
      /** Format: uuid */
      readonly trialSessionId: string;
      /** Format: uuid */
      readonly roleId: string;
      readonly roleName: string;
      readonly candidateEmail: string | null;
      readonly status: components['schemas']['EvaluationStatus'];
      readonly overallScore: number | null;
      readonly passed: boolean | null;
      /** Format: date-time */
      readonly generatedAt: string | null;
      readonly version: number;
      readonly generation: number;
      readonly overallThreshold: number;
      readonly scoredBy: components['schemas']['ScoredBy'] | null;
      /** @description Why it failed; `null` unless it did. */
      readonly failure: string | null;
      readonly scores: readonly components['schemas']['Score'][];
      readonly integrity: readonly components['schemas']['IntegrityFinding'][];
      readonly head: components['schemas']['EvidenceHead'] | null;
      readonly explanation: components['schemas']['Explanation'] | null;
      readonly detections: readonly components['schemas']['Detection'][];
      readonly modelAnswers: readonly components['schemas']['ModelAnswer'][];
    };
    readonly ExportedHandIn: {
      /** Format: uuid */
      readonly id: string;
      /** Format: uuid */
      readonly ticketId: string;
      /** @description `null` once it can no longer be read. */
      readonly name: string | null;
      readonly bytes: number;
      /** @description Of the file, in lower-case hex. */
      readonly sha256: string;
      /** @description How many bytes have arrived: the next piece begins there. */
      readonly received: number;
      readonly status: components['schemas']['HandInStatus'];
      /** @description Why it is refused: no further piece is taken, and these bytes under this name never are. `null`: it is not refused, or the sentence can no longer be read. */
      readonly refusal: string | null;
      /** @description What it unpacks to, by path; `null` until it is handed in. */
      readonly files: readonly components['schemas']['TreeFile'][] | null;
      /** @description Of `files`: the SHA-256 of one line for each, in the order of their paths’ bytes: `<sha256>`, two blanks, `<path>`, a line feed. `null` until it is handed in. */
      readonly treeSha256: string | null;
      /** Format: date-time */
      readonly begunAt: string;
      /** Format: date-time */
      readonly handedInAt: string | null;
      readonly checks: components['schemas']['HandInChecks'] | null;
      /** @description The file as it was sent, as far as it has arrived; `null` if nothing has. */
      readonly content: string | null;
    };
    readonly ExportedOutcome: {
      readonly humanRound: components['schemas']['HumanRound'] | null;
      readonly disposition: components['schemas']['Disposition'] | null;
      /** @description `null` if none was given, or if it can no longer be read. */
      readonly reason: string | null;
      /** Format: date-time */
      readonly recordedAt: string;
      readonly recordedBy: null;
    };
    readonly ExportedRecording: {
      readonly turn: number;
      /** @constant */
      readonly contentType: 'audio/wav';
      readonly content: string;
    };
    readonly ExtendApplication: {
      /** Format: date-time */
      readonly expiresAt: string;
    };
    readonly FailedChecks: {
      readonly reason: components['schemas']['CheckFailure'] | null;
      /** @description Places in the role’s `ticketIds`, from 1. */
      readonly tickets: readonly number[];
    };
    readonly Feedback: {
      /** Format: uuid */
      readonly trialSessionId: string;
      readonly ease: number | null;
      readonly fairness: number | null;
      /** @description `null` if none was given, or once it can no longer be read. */
      readonly text: string | null;
      /** Format: date-time */
      readonly givenAt: string;
    };
    /**
     * @description A file was changed. Scores count it and its lines if that raises them.
     * @example {
     *       "clientEventId": "0197f0a4-7d20-7a11-8c55-2b3c4d5e6f70",
     *       "eventType": "file.changed",
     *       "occurredAt": "2026-01-05T09:12:00.000Z",
     *       "payload": {
     *         "path": "src/parser.ts",
     *         "linesAdded": 40,
     *         "linesRemoved": 2
     *       }
     *     }
     */
    readonly FileChangedActivity: {
      /** @description Chosen by the client. An event whose id the session knows is a duplicate. */
      readonly clientEventId: string;
      /** @constant */
      readonly eventType: 'file.changed';
      /** Format: date-time */
      readonly occurredAt: string;
      readonly payload: components['schemas']['FileChangedPayload'];
    };
    readonly FileChangedPayload: {
      /** @description The file. */
      readonly path: string;
      /** @description Lines that were added. */
      readonly linesAdded: number;
      /** @description Lines that were removed. */
      readonly linesRemoved: number;
    } & {
      readonly [key: string]: unknown;
    };
    readonly FileDifference: {
      readonly path: string;
      readonly before: components['schemas']['FileSide'] | null;
      readonly after: components['schemas']['FileSide'] | null;
      /** @description `null`: `omitted` says why. */
      readonly hunks: readonly components['schemas']['Hunk'][] | null;
      readonly omitted: components['schemas']['OmittedLines'] | null;
    };
    readonly FileSet: {
      /** Format: uuid */
      readonly id: string;
      /** @description What staff call the archive or file. */
      readonly name: string;
      /** @description Of the archive or file, as it was sent. */
      readonly bytes: number;
      /** @description Of the archive or file, as it was sent, in lower-case hex. */
      readonly sha256: string;
      /** @description SHA-256 of the lines that `sha256sum` prints of the files, sorted by path: in lower-case hex. */
      readonly treeSha256: string;
      readonly files: readonly components['schemas']['TreeFile'][];
    };
    /** @enum {string} */
    readonly FileSetStatus: 'receiving' | 'complete';
    readonly FileSetUpload: {
      /** Format: uuid */
      readonly id: string;
      /** Format: uuid */
      readonly ticketId: string;
      readonly name: string;
      readonly bytes: number;
      /** @description Of the archive or file, in lower-case hex. */
      readonly sha256: string;
      /** @description How many bytes have arrived: the next piece begins there. */
      readonly received: number;
      readonly status: components['schemas']['FileSetStatus'];
      /** @description As of a `FileSet`; `null` until it is complete. */
      readonly treeSha256: string | null;
      /** @description By path; `null` until it is complete. */
      readonly files: readonly components['schemas']['TreeFile'][] | null;
      /** Format: date-time */
      readonly begunAt: string;
    };
    readonly FileSide: {
      readonly bytes: number;
      /** @description Lower-case hex. */
      readonly sha256: string;
    };
    /** @enum {string} */
    readonly FindingKind:
      | 'identity_verified'
      | 'identity_mismatch'
      | 'concurrent_connection'
      | 'activity_gap'
      | 'response_gap_outlier'
      | 'paste_burst'
      | 'prompt_copied'
      | 'focus_lost'
      | 'network_changed'
      | 'fullscreen_exited'
      | 'generated_text_suspected'
      | 'claims_differ'
      | 'work_arrived_at_once'
      | 'copied_from_other_hand_in';
    /** @enum {string} */
    readonly FindingSeverity: 'info' | 'low' | 'medium' | 'high';
    /** @description What was recorded at a time; all three are `null` if it was a retraction. */
    readonly FormerOutcome: {
      /** Format: date-time */
      readonly at: string;
      readonly humanRound: components['schemas']['HumanRound'] | null;
      readonly disposition: components['schemas']['Disposition'] | null;
      /** @description `null` if none was given, or if it can no longer be read. */
      readonly reason: string | null;
    };
    /**
     * @description The page no longer fills the screen. Finding: `fullscreen_exited`.
     * @example {
     *       "clientEventId": "0197f0a4-7d20-7a11-8c55-2b3c4d5e6f70",
     *       "eventType": "fullscreen.exited",
     *       "occurredAt": "2026-01-05T09:12:00.000Z",
     *       "payload": {}
     *     }
     */
    readonly FullscreenExitedActivity: {
      /** @description Chosen by the client. An event whose id the session knows is a duplicate. */
      readonly clientEventId: string;
      /** @constant */
      readonly eventType: 'fullscreen.exited';
      /** Format: date-time */
      readonly occurredAt: string;
      readonly payload: components['schemas']['FullscreenExitedPayload'];
    };
    readonly FullscreenExitedPayload: {
      readonly [key: string]: unknown;
    };
    readonly GapFinding: {
      /** @constant */
      readonly kind: 'response_gap_outlier';
      readonly severity: components['schemas']['FindingSeverity'];
      readonly evidenceEventIds: readonly string[];
      readonly ruleVersion: number;
      /** @description The figures and thresholds that the rule compared. */
      readonly inputs?: {
        readonly [key: string]: number | string;
      };
      /** @constant */
      readonly advisory: true;
      readonly aiPolicy?: components['schemas']['AiPolicy'];
      /** @description If an AI assistant explains the finding, whether the policy of the session’s role allowed it; `null`: only the provided one, and the evidence does not show which it was. Absent, as `aiPolicy` is, if the role had no policy or the finding is about something else. */
      readonly allowedByPolicy?: boolean | null;
      /** Format: date-time */
      readonly candidateMessageAt: string;
      readonly gapSeconds: number;
      readonly sessionMedianGapSeconds: number;
    };
    readonly GiveEase: {
      readonly ease: number;
      readonly fairness?: number;
      readonly text?: string;
    };
    readonly GiveFairness: {
      readonly ease?: number;
      readonly fairness: number;
      readonly text?: string;
    };
    readonly GiveFeedback:
      | components['schemas']['GiveEase']
      | components['schemas']['GiveFairness']
      | components['schemas']['GiveFeedbackText'];
    readonly GiveFeedbackText: {
      readonly ease?: number;
      readonly fairness?: number;
      readonly text: string;
    };
    readonly HandIn: {
      /** Format: uuid */
      readonly id: string;
      /** Format: uuid */
      readonly ticketId: string;
      /** @description `null` once it can no longer be read. */
      readonly name: string | null;
      readonly bytes: number;
      /** @description Of the file, in lower-case hex. */
      readonly sha256: string;
      /** @description How many bytes have arrived: the next piece begins there. */
      readonly received: number;
      readonly status: components['schemas']['HandInStatus'];
      /** @description Why it is refused: no further piece is taken, and these bytes under this name never are. `null`: it is not refused, or the sentence can no longer be read. */
      readonly refusal: string | null;
      /** @description What it unpacks to, by path; `null` until it is handed in. */
      readonly files: readonly components['schemas']['TreeFile'][] | null;
      /** @description Of `files`: the SHA-256 of one line for each, in the order of their paths’ bytes: `<sha256>`, two blanks, `<path>`, a line feed. `null` until it is handed in. */
      readonly treeSha256: string | null;
      /** Format: date-time */
      readonly begunAt: string;
      /** Format: date-time */
      readonly handedInAt: string | null;
      readonly checks: components['schemas']['HandInChecks'] | null;
    };
    /** @description The result of the visible checks. `waiting`: there is none yet. `error`: they could not be run, for the `reason`. */
    readonly HandInChecks: {
      readonly state: components['schemas']['HandInChecksState'];
      readonly reason: components['schemas']['CheckFailure'] | null;
      /** @description The reason as a sentence. */
      readonly message: string | null;
      readonly tally: components['schemas']['TestTally'];
      /** @description Messages, then tests are left out where they take too much room: `tally` counts all. */
      readonly tests: readonly components['schemas']['CheckedTest'][];
      /** Format: date-time */
      readonly checkedAt: string | null;
    };
    /** @enum {string} */
    readonly HandInChecksState: 'waiting' | 'checked' | 'error';
    readonly HandInPage: {
      readonly items: readonly components['schemas']['HandIn'][];
      /** @description The `cursor` of the next page; `null` on the last. */
      readonly nextCursor: string | null;
    };
    /** @enum {string} */
    readonly HandInStatus: 'receiving' | 'handed_in' | 'refused';
    /** @enum {string} */
    readonly HumanRound: 'passed' | 'failed';
    readonly HumanRoundCounts: {
      readonly passed: number;
      readonly failed: number;
    };
    readonly Hunk: {
      /** @description The first line, from 1; 0 where the file has none here. */
      readonly beforeStart: number;
      readonly beforeLines: number;
      /** @description The first line, from 1; 0 where the file has none here. */
      readonly afterStart: number;
      readonly afterLines: number;
      /** @description Each begins with a blank (on both sides), `-` (before) or `+` (after); `\` says that the line before it has no end. */
      readonly lines: readonly string[];
    };
    readonly ImportCandidates: {
      readonly csv: string;
    };
    readonly ImportCheck: {
      readonly rows: readonly components['schemas']['CheckedRow'][];
    };
    /** @enum {string} */
    readonly ImportStatus: 'running' | 'finished';
    readonly InstantFinding: {
      readonly kind: components['schemas']['InstantFindingKind'];
      readonly severity: components['schemas']['FindingSeverity'];
      readonly evidenceEventIds: readonly string[];
      readonly ruleVersion: number;
      /** @description The figures and thresholds that the rule compared. */
      readonly inputs?: {
        readonly [key: string]: number | string;
      };
      /** @constant */
      readonly advisory: true;
      readonly aiPolicy?: components['schemas']['AiPolicy'];
      /** @description If an AI assistant explains the finding, whether the policy of the session’s role allowed it; `null`: only the provided one, and the evidence does not show which it was. Absent, as `aiPolicy` is, if the role had no policy or the finding is about something else. */
      readonly allowedByPolicy?: boolean | null;
      /** Format: date-time */
      readonly timestamp: string;
    };
    /** @enum {string} */
    readonly InstantFindingKind:
      | 'identity_verified'
      | 'identity_mismatch'
      | 'concurrent_connection'
      | 'activity_gap'
      | 'paste_burst'
      | 'prompt_copied'
      | 'focus_lost'
      | 'network_changed'
      | 'fullscreen_exited'
      | 'generated_text_suspected'
      | 'claims_differ'
      | 'work_arrived_at_once'
      | 'copied_from_other_hand_in';
    /** @description Something in the evidence that a person may want to look at. It is advisory and never a verdict, changes no score, and reads no personal traits: only what was done and when. */
    readonly IntegrityFinding: components['schemas']['InstantFinding'] | components['schemas']['GapFinding'];
    /** @enum {string} */
    readonly InterviewerName: 'scripted' | 'openai';
    readonly InvitationAnswer: {
      /** @description 201 with the application; else as an error has it. */
      readonly status: number;
      readonly application?: components['schemas']['Application'];
      readonly error?: string;
      readonly code?: string;
      readonly details?: readonly components['schemas']['ErrorDetail'][];
    };
    readonly InvitationAnswers: {
      readonly items: readonly components['schemas']['InvitationAnswer'][];
    };
    readonly InviteCandidate: {
      /** Format: email */
      readonly candidateEmail: string;
      /** Format: date-time */
      readonly expiresAt?: string;
      /** @description It is shown in mails: it must not hold an e-mail address, the address of a page, control characters or marks of direction. */
      readonly candidateName?: string;
      readonly externalId?: string;
      readonly language?: components['schemas']['Language'];
      /** Format: uuid */
      readonly retakeOf?: string;
    };
    readonly InviteCandidates: {
      readonly invitations: readonly unknown[];
    };
    /** @enum {string} */
    readonly Language: 'en' | 'de';
    /** @enum {string} */
    readonly LeftOutReason:
      'no_tickets' | 'no_hand_ins' | 'no_checks' | 'checked' | 'tickets_count' | 'not_higher' | 'not_checked';
    readonly LeftOutSignal: {
      readonly signal: string;
      /** @description Why it has no part in the score, as a sentence. */
      readonly reason: string;
      readonly reasonCode: components['schemas']['LeftOutReason'];
    };
    readonly ListedFileSet: {
      /** Format: uuid */
      readonly id: string;
      /** @description What staff call the archive or file. */
      readonly name: string;
      /** @description Of the archive or file, as it was sent. */
      readonly bytes: number;
      /** @description Of the archive or file, as it was sent, in lower-case hex. */
      readonly sha256: string;
      /** @description SHA-256 of the lines that `sha256sum` prints of the files, sorted by path: in lower-case hex. */
      readonly treeSha256: string;
      /** @description How many files it has: the ticket’s own record lists them. */
      readonly fileCount: number;
    };
    readonly ListedTicket: {
      /** Format: uuid */
      readonly id: string;
      /** Format: uuid */
      readonly organisationId: string;
      readonly title: string;
      /** @description Markdown: headings, paragraphs, lists, quotes, code, tables, rules, emphasis and links. Anything else, such as HTML, is shown as text; an image is shown as a link. */
      readonly description: string | null;
      readonly links: readonly components['schemas']['TicketLink'][];
      readonly estimatedMinutes: number | null;
      readonly kind: components['schemas']['TicketKind'] | null;
      readonly starter: components['schemas']['ListedFileSet'] | null;
      readonly checks: components['schemas']['ListedTicketChecks'] | null;
      readonly version: number;
      /** Format: date-time */
      readonly createdAt: string;
      /** Format: date-time */
      readonly updatedAt: string;
    };
    readonly ListedTicketChecks: {
      readonly visible: components['schemas']['ListedFileSet'] | null;
      readonly hidden: components['schemas']['ListedFileSet'] | null;
      /** @description The name by which the checker finds what it runs. */
      readonly slug: string;
      readonly isolation: components['schemas']['CheckIsolation'];
    };
    readonly ListedTicketPage: {
      readonly items: readonly components['schemas']['ListedTicket'][];
      /** @description The `cursor` of the next page; `null` on the last. */
      readonly nextCursor: string | null;
    };
    readonly Liveness: {
      /** @constant */
      readonly status: 'live';
    };
    readonly Logo: {
      /**
       * Format: uri
       * @description Where anybody sees it, as PNG or JPEG. It never shows another one.
       */
      readonly url: string;
      /** @description In pixels. */
      readonly width: number;
      /** @description In pixels. */
      readonly height: number;
    };
    readonly Mail: {
      readonly id: string;
      readonly kind: components['schemas']['MailKind'];
      /** @description Of a reminder: how many days before the expiry it is due; `null` of one that staff asked for. */
      readonly days: number | null;
      readonly state: components['schemas']['MailState'];
      readonly attempts: number;
      /** Format: date-time */
      readonly dueAt: string;
      /** Format: date-time */
      readonly lastAttemptAt: string | null;
      /** Format: date-time */
      readonly nextAttemptAt: string | null;
      /** @description When it was last sent. */
      readonly sentAt: string | null;
      readonly fault: components['schemas']['MailFault'] | null;
    };
    /**
     * @description Why the last attempt failed, or why none is made. What the mail server says is not kept: it may repeat the address.
     * @enum {string}
     */
    readonly MailFault:
      | 'refused'
      | 'deferred'
      | 'not_permitted'
      | 'insecure'
      | 'unreachable'
      | 'timed_out'
      | 'limited'
      | 'held';
    /** @enum {string} */
    readonly MailKind: 'invitation' | 'reminder' | 'extension' | 'receipt' | 'cancellation';
    readonly MailProblem: {
      /** @description Its `id` in the list of the application’s mails. */
      readonly mailId: string;
      readonly kind: components['schemas']['MailKind'];
      readonly fault: components['schemas']['MailFault'];
      /**
       * Format: date-time
       * @description When it is tried next. `null`: it is not tried again.
       */
      readonly nextAttemptAt: string | null;
    };
    /**
     * @description `limited`: the address has had as many mails as it gets in a day; it is sent at `nextAttemptAt`. `held`: it may have been sent before a restore, and an operator has to decide. `failed`: it is not tried again. `off`: not sent, because no mail server is configured, or none was.
     * @enum {string}
     */
    readonly MailState: 'pending' | 'limited' | 'held' | 'sent' | 'failed' | 'off';
    readonly Me: {
      readonly subject: string;
      readonly email: string | null;
      readonly emailVerified: boolean;
      readonly memberships: readonly components['schemas']['Membership'][];
      readonly applications: readonly components['schemas']['ApplicationSummary'][];
    };
    /** @enum {string} */
    readonly MeasureWarning:
      'unmeasured' | 'no_tickets' | 'no_checks' | 'checks_not_run' | 'checks_refused' | 'self_reported';
    readonly Member: {
      /** Format: uuid */
      readonly id: string;
      readonly subject: string | null;
      readonly email: string | null;
      readonly role: components['schemas']['MemberRole'];
      /** Format: date-time */
      readonly since: string;
      readonly version: number;
    };
    readonly MemberPage: {
      readonly items: readonly components['schemas']['Member'][];
      /** @description The `cursor` of the next page; `null` on the last. */
      readonly nextCursor: string | null;
    };
    /** @enum {string} */
    readonly MemberRole: 'owner' | 'admin' | 'recruiter' | 'reviewer';
    readonly Membership: {
      /** Format: uuid */
      readonly organisationId: string;
      readonly organisationName: string;
      readonly organisationLogo: components['schemas']['Logo'] | null;
      /** @description The organisation’s, in which mails and pages show time limits. */
      readonly timeZone: string;
      readonly role: components['schemas']['MemberRole'];
      readonly permissions: readonly components['schemas']['Permission'][];
    };
    /**
     * @description Who gets it.
     * @enum {string}
     */
    readonly MessageRecipient: 'assistant' | 'interviewer';
    /**
     * @description The candidate sent a message. Scores count it if that raises them; the time since the one before is a response gap.
     * @example {
     *       "clientEventId": "0197f0a4-7d20-7a11-8c55-2b3c4d5e6f70",
     *       "eventType": "message.sent",
     *       "occurredAt": "2026-01-05T09:12:00.000Z",
     *       "payload": {
     *         "text": "One test fails because the parser drops the last line.",
     *         "to": "assistant"
     *       }
     *     }
     */
    readonly MessageSentActivity: {
      /** @description Chosen by the client. An event whose id the session knows is a duplicate. */
      readonly clientEventId: string;
      /** @constant */
      readonly eventType: 'message.sent';
      /** Format: date-time */
      readonly occurredAt: string;
      readonly payload: components['schemas']['MessageSentPayload'];
    };
    readonly MessageSentPayload: {
      /** @description The message. */
      readonly text: string;
      readonly to: components['schemas']['MessageRecipient'];
    } & {
      readonly [key: string]: unknown;
    };
    readonly ModelAnswer: {
      /** Format: uuid */
      readonly dimensionId: string;
      readonly attempt: number;
      readonly model: string;
      readonly promptVersion: number;
      readonly parameters: {
        readonly [key: string]: number | string;
      };
      readonly answer: string | null;
      /** @description What the model was shown of hand-ins, with the first answer of a generation alone. */
      readonly work: readonly components['schemas']['ShownWork'][];
      /** Format: date-time */
      readonly answeredAt: string;
    };
    /**
     * @description The network changed. Finding: `network_changed`.
     * @example {
     *       "clientEventId": "0197f0a4-7d20-7a11-8c55-2b3c4d5e6f70",
     *       "eventType": "network.changed",
     *       "occurredAt": "2026-01-05T09:12:00.000Z",
     *       "payload": {}
     *     }
     */
    readonly NetworkChangedActivity: {
      /** @description Chosen by the client. An event whose id the session knows is a duplicate. */
      readonly clientEventId: string;
      /** @constant */
      readonly eventType: 'network.changed';
      /** Format: date-time */
      readonly occurredAt: string;
      readonly payload: components['schemas']['NetworkChangedPayload'];
    };
    readonly NetworkChangedPayload: {
      readonly [key: string]: unknown;
    };
    readonly NewApiKey: {
      /** Format: uuid */
      readonly id: string;
      /** @description As it was given; `null` once it can no longer be read. */
      readonly name: string | null;
      /** @description What it may do, as far as the role of its maker still allows it. */
      readonly scopes: readonly components['schemas']['ApiKeyScope'][];
      readonly status: components['schemas']['ApiKeyStatus'];
      /** Format: date-time */
      readonly createdAt: string;
      /** @description The subject of the member who made it. */
      readonly createdBy: string;
      /** Format: date-time */
      readonly expiresAt: string;
      /** Format: date-time */
      readonly revokedAt: string | null;
      /**
       * Format: date-time
       * @description To the minute. `null`: never, or not since the service was restored from a backup or moved.
       */
      readonly lastUsedAt: string | null;
      readonly token: string;
    };
    readonly NewShareLink: {
      /** Format: uuid */
      readonly id: string;
      /** Format: date-time */
      readonly createdAt: string;
      /** @description The subject of the member who created it. */
      readonly createdBy: string;
      /** @description What staff call it: it is shown on the report. An erasure removes it. */
      readonly label: string | null;
      /** Format: date-time */
      readonly expiresAt: string;
      /** Format: date-time */
      readonly revokedAt: string | null;
      readonly views: number;
      readonly token: string;
      /**
       * Format: uri
       * @description Where the report is read.
       */
      readonly url: string;
    };
    readonly NewWebhook: {
      /** Format: uuid */
      readonly id: string;
      /** @description As it was given. */
      readonly url: string;
      readonly events: readonly components['schemas']['NoticeType'][];
      /** Format: date-time */
      readonly createdAt: string;
      /**
       * Format: date-time
       * @description Until when notices are signed with the former secret too; `null` until the secret is rotated.
       */
      readonly formerSecretValidUntil: string | null;
      readonly version: number;
      readonly secret: string;
    };
    readonly NoticePreview: {
      /** @description Of the notice: candidates agree to this one. */
      readonly version: string;
      /** @description As candidates read it, in Markdown. */
      readonly text: string;
      /** @description What the service writes for a role without a notice of its own, but what it says of AI assistants. */
      readonly defaultText: string;
    };
    /** @enum {string} */
    readonly NoticeType:
      | 'candidate.invited'
      | 'trial.started'
      | 'trial.completed'
      | 'trial.expired'
      | 'trial.withdrawn'
      | 'evaluation.ready'
      | 'evaluation.failed'
      | 'evaluation.contested'
      | 'outcome.recorded'
      | 'erasure.requested'
      | 'candidate.erased';
    /**
     * @description `binary`: not text in UTF-8. `too_large`: too long, or too different, or the answer has enough already: ask for this file by `path`.
     * @enum {string}
     */
    readonly OmittedLines: 'binary' | 'too_large';
    readonly Organisation: {
      /** Format: uuid */
      readonly id: string;
      readonly name: string;
      readonly recordAudio: boolean;
      readonly retentionDays: number | null;
      readonly candidateResults: components['schemas']['CandidateResults'];
      /** @description Mails and pages show times in it, by its name in the IANA database, such as `Europe/Berlin`. */
      readonly timeZone: string;
      /** @description Mails to candidates come from this name; `null`: from the organisation’s name. */
      readonly senderName: string | null;
      readonly logo: components['schemas']['Logo'] | null;
      readonly version: number;
    };
    readonly OrganisationExport: {
      readonly organisationName: string;
      readonly applications: readonly components['schemas']['ApplicationExport'][];
    };
    /**
     * @description An event of any other type. It is kept as it comes; no rule reads it.
     * @example {
     *       "clientEventId": "0197f0a4-7d20-7a11-8c55-2b3c4d5e6f70",
     *       "eventType": "editor.opened",
     *       "occurredAt": "2026-01-05T09:12:00.000Z",
     *       "payload": {
     *         "file": "README.md"
     *       }
     *     }
     */
    readonly OtherActivity: {
      /** @description Chosen by the client. An event whose id the session knows is a duplicate. */
      readonly clientEventId: string;
      readonly eventType: string;
      /** Format: date-time */
      readonly occurredAt: string;
      readonly payload: components['schemas']['OtherPayload'];
    };
    readonly OtherPayload: {
      readonly [key: string]: unknown;
    };
    readonly Outcome: {
      readonly humanRound: components['schemas']['HumanRound'] | null;
      readonly disposition: components['schemas']['Disposition'] | null;
      /** @description `null` if none was given, or if it can no longer be read. */
      readonly reason: string | null;
      /** Format: date-time */
      readonly recordedAt: string;
      /** @description The subject of the member who recorded it. */
      readonly recordedBy: string;
    };
    readonly OutcomeRecordedNotice: {
      /** @constant */
      readonly type: 'outcome.recorded';
      /** Format: date-time */
      readonly timestamp: string;
      readonly data: components['schemas']['OutcomeRecordedNoticeData'];
    };
    readonly OutcomeRecordedNoticeData: {
      /** Format: uuid */
      readonly organisationId: string;
      /** Format: uuid */
      readonly candidateId: string;
      /** Format: uuid */
      readonly applicationId: string;
      /** Format: uuid */
      readonly trialSessionId: string;
      /** Format: uuid */
      readonly roleId: string;
    };
    /**
     * @description How far a completed application’s outcome is known: its disposition, else the human round, else `none`.
     * @enum {string}
     */
    readonly OutcomeStatus: 'none' | 'passed' | 'failed' | 'hired' | 'declined';
    readonly OverallTerm: {
      /** Format: uuid */
      readonly dimensionId: string;
      readonly weight: number;
      readonly score: number;
      /** @description At most 6 decimal places. */
      readonly contribution: number;
    };
    readonly OwnApplication: {
      /** Format: uuid */
      readonly id: string;
      /** Format: uuid */
      readonly organisationId: string;
      /** Format: uuid */
      readonly roleId: string;
      readonly roleName: string;
      readonly candidateEmail: string | null;
      readonly candidateName: string | null;
      readonly language: components['schemas']['Language'];
      readonly status: components['schemas']['ApplicationStatus'];
      /** Format: date-time */
      readonly invitedAt: string;
      readonly trialSessions: readonly components['schemas']['OwnTrialSession'][];
      /**
       * Format: date-time
       * @description When the candidate asked to be erased.
       */
      readonly erasureRequestedAt: string | null;
      readonly version: number;
    };
    readonly OwnContest: {
      /** Format: uuid */
      readonly id: string;
      readonly about: components['schemas']['ContestedPart'];
      /** @description `null` once it can no longer be read. */
      readonly text: string | null;
      /** Format: date-time */
      readonly createdAt: string;
      readonly answer: components['schemas']['OwnContestAnswer'] | null;
    };
    readonly OwnContestAnswer: {
      /** @description `null` once it can no longer be read. */
      readonly text: string | null;
      /** Format: date-time */
      readonly answeredAt: string;
    };
    readonly OwnEvaluation: {
      /** Format: uuid */
      readonly evaluationId: string;
      /** Format: uuid */
      readonly applicationId: string;
      /** @description As it was at the invitation. */
      readonly roleName: string;
      /**
       * Format: date-time
       * @description When the trial session was completed.
       */
      readonly completedAt: string;
      readonly released: components['schemas']['CandidateResults'];
      readonly result: components['schemas']['ReleasedResult'] | null;
      readonly explanation: components['schemas']['ReleasedExplanation'] | null;
      readonly contests: readonly components['schemas']['OwnContest'][];
    };
    readonly OwnEvaluationSummary: {
      /** Format: uuid */
      readonly evaluationId: string;
      /** Format: uuid */
      readonly applicationId: string;
      /** @description As it was at the invitation. */
      readonly roleName: string;
      /**
       * Format: date-time
       * @description When the trial session was completed.
       */
      readonly completedAt: string;
      readonly released: components['schemas']['CandidateResults'];
    };
    readonly OwnEvaluations: {
      readonly items: readonly components['schemas']['OwnEvaluationSummary'][];
    };
    readonly OwnTrialSession: {
      /** Format: uuid */
      readonly id: string;
      /** Format: uuid */
      readonly applicationId: string;
      readonly status: components['schemas']['TrialSessionStatus'];
      /** @description As it was at the invitation. */
      readonly roleName: string;
      /** Format: date-time */
      readonly invitedAt: string;
      /** Format: date-time */
      readonly startedAt: string | null;
      /** Format: date-time */
      readonly endedAt: string | null;
      /** Format: date-time */
      readonly expiresAt: string;
      readonly version: number;
    };
    /**
     * @description The page is out of sight. Finding: `focus_lost`.
     * @example {
     *       "clientEventId": "0197f0a4-7d20-7a11-8c55-2b3c4d5e6f70",
     *       "eventType": "page.hidden",
     *       "occurredAt": "2026-01-05T09:12:00.000Z",
     *       "payload": {}
     *     }
     */
    readonly PageHiddenActivity: {
      /** @description Chosen by the client. An event whose id the session knows is a duplicate. */
      readonly clientEventId: string;
      /** @constant */
      readonly eventType: 'page.hidden';
      /** Format: date-time */
      readonly occurredAt: string;
      readonly payload: components['schemas']['PageHiddenPayload'];
    };
    readonly PageHiddenPayload: {
      readonly [key: string]: unknown;
    };
    /**
     * @description The page is in sight again. Finding: `focus_lost`.
     * @example {
     *       "clientEventId": "0197f0a4-7d20-7a11-8c55-2b3c4d5e6f70",
     *       "eventType": "page.shown",
     *       "occurredAt": "2026-01-05T09:12:00.000Z",
     *       "payload": {}
     *     }
     */
    readonly PageShownActivity: {
      /** @description Chosen by the client. An event whose id the session knows is a duplicate. */
      readonly clientEventId: string;
      /** @constant */
      readonly eventType: 'page.shown';
      /** Format: date-time */
      readonly occurredAt: string;
      readonly payload: components['schemas']['PageShownPayload'];
    };
    readonly PageShownPayload: {
      readonly [key: string]: unknown;
    };
    /** @enum {string} */
    readonly Permission:
      | 'owners.manage'
      | 'members.manage'
      | 'keys.manage'
      | 'organisation.write'
      | 'webhooks.manage'
      | 'candidates.erase'
      | 'audit.read'
      | 'reads.read'
      | 'views.manage'
      | 'roles.write'
      | 'candidates.invite'
      | 'outcomes.record'
      | 'evaluations.regenerate'
      | 'reports.share'
      | 'audio.hear'
      | 'work.read'
      | 'data.export'
      | 'organisation.read'
      | 'members.read'
      | 'roles.read'
      | 'applications.read'
      | 'evaluations.read'
      | 'signal.read'
      | 'views.save';
    readonly PlannedQuestion: {
      readonly text: string;
      readonly dimensionName: string | null;
    };
    readonly Question: {
      readonly kind: components['schemas']['QuestionKind'];
      /** Format: uuid */
      readonly id: string;
      readonly turn: number;
      /** @description What was said before the question, such as a greeting. */
      readonly preface: string | null;
      readonly text: string | null;
      /** Format: date-time */
      readonly askedAt: string;
      readonly askedBy: components['schemas']['AskedBy'];
      readonly dimensionIds: readonly string[];
      /** Format: date-time */
      readonly answeredAt: string | null;
      readonly answer: string | null;
      /** @description What the candidate said to have it repeated or explained: no answer. */
      readonly request: string | null;
      /** @description The candidate chose not to answer. */
      readonly skipped: boolean;
      readonly source: components['schemas']['AnswerSource'] | null;
      /** @description From the end of the question to the start of the answer. */
      readonly gapMs: number | null;
      readonly interruptedAtMs: number | null;
      readonly evidenceEventIds: readonly string[];
    };
    /** @enum {string} */
    readonly QuestionKind: 'planned' | 'follow_up' | 'clarification' | 'closing';
    readonly QuotedEvidence: {
      /** Format: uuid */
      readonly eventId: string;
      /** @description The text of the event, of a hand-in also a line of it after its place, as in `src/sum.js:3+ return a + b`; `null` if there is nothing to quote, and once it can no longer be read. */
      readonly quote: string | null;
    };
    readonly Reader: {
      readonly type: components['schemas']['ReaderType'];
      readonly id: string;
    };
    /** @enum {string} */
    readonly ReaderType: 'staff' | 'api_key' | 'candidate' | 'operator' | 'share_link';
    readonly Readiness: {
      /** @constant */
      readonly status: 'ready';
    };
    readonly Received: {
      /** @description How many bytes have arrived: the next piece begins there. */
      readonly received: number;
    };
    readonly RecordActivity: {
      readonly events: readonly components['schemas']['Activity'][];
    };
    readonly RecordDisposition: {
      readonly humanRound?: components['schemas']['HumanRound'] | null;
      readonly disposition: components['schemas']['Disposition'];
      readonly reason?: string | null;
    };
    readonly RecordHumanRound: {
      readonly humanRound: components['schemas']['HumanRound'];
      readonly disposition?: components['schemas']['Disposition'] | null;
      readonly reason?: string | null;
    };
    readonly RecordOutcome:
      components['schemas']['RecordHumanRound'] | components['schemas']['RecordDisposition'];
    readonly RefusedChecks: {
      /** @description How many of the role’s tickets they belong to. */
      readonly tickets: number;
      /** @description The isolation that they ask for. */
      readonly asked: readonly string[];
      /** @description What the service’s checker offers. */
      readonly offered: readonly string[];
    };
    readonly RefusedRow: {
      /** @description As a spreadsheet counts: the header is row 1. */
      readonly row: number;
      /** @description Of an error, as an invitation that is sent alone has it; `import_stopped`: who began the import may no longer invite. */
      readonly code: string;
      /** @description The same as a sentence. */
      readonly reason: string;
    };
    readonly ReleasedDimension: {
      /** Format: uuid */
      readonly dimensionId: string;
      readonly dimensionName: string;
      readonly dimensionCategory: string;
      readonly weight: number;
      readonly threshold: number | null;
      readonly score: number;
      readonly passed: boolean | null;
      readonly rationale: string | null;
      /** @description How many points out of 100 the score would have more, if all tests of the checks without a result had passed. At most 6 decimal places. */
      readonly uncheckedPoints: number | null;
      readonly quotes: readonly components['schemas']['ReleasedQuote'][];
    };
    readonly ReleasedExplanation: {
      readonly dimensions: readonly components['schemas']['ReleasedDimension'][];
    };
    readonly ReleasedQuote: {
      /**
       * Format: uuid
       * @description The event of the evidence that it is from.
       */
      readonly eventId: string;
      readonly quote: string;
    };
    readonly ReleasedResult: {
      readonly overallScore: number | null;
      readonly overallThreshold: number;
      readonly passed: boolean | null;
      /** Format: date-time */
      readonly generatedAt: string;
    };
    readonly RequestAccommodation: {
      readonly text: string;
    };
    readonly RequestedGeneration: {
      /** Format: uuid */
      readonly evaluationId: string;
      readonly generation: number;
      /** @constant */
      readonly status: 'generating';
    };
    readonly Role: {
      /** Format: uuid */
      readonly id: string;
      /** Format: uuid */
      readonly organisationId: string;
      readonly name: string;
      readonly overallThreshold: number;
      readonly dimensions: readonly components['schemas']['Dimension'][];
      readonly ticketIds: readonly string[];
      readonly questions: readonly components['schemas']['PlannedQuestion'][];
      /** @description For candidates. Markdown: headings, paragraphs, lists, quotes, code, tables, rules, emphasis and links. Anything else, such as HTML, is shown as text; an image is shown as a link. */
      readonly instructions: string | null;
      /** @description How long the work is meant to take. */
      readonly timeFrameMinutes: number | null;
      readonly notice: components['schemas']['RoleNotice'] | null;
      readonly reminderDays: readonly number[];
      /** @description Milliseconds of silence after which a spoken answer is over, where the service transcribes; times the candidate’s `timeFactor`. */
      readonly answerPauseMs: number;
      readonly aiPolicy: components['schemas']['AiPolicy'] | null;
      readonly version: number;
      readonly status: components['schemas']['RoleStatus'];
      /**
       * Format: date-time
       * @description Since when nobody can be invited to it; `null`: not archived.
       */
      readonly archivedAt: string | null;
      /** @description What a draft lacks to be ready: the rule that a field breaks, as a sentence. */
      readonly missing: readonly components['schemas']['ErrorDetail'][];
      /** Format: date-time */
      readonly createdAt: string;
      /** Format: date-time */
      readonly updatedAt: string;
      /** @description What the role cannot measure, or not by checked evidence: a sentence each. It can be used all the same. Its tickets count as they are now: `version` and `ETag` do not count their changes, so a conditional read of a role with tickets is answered in full. */
      readonly warnings: readonly string[];
    };
    /** @enum {string} */
    readonly RoleAction: 'role.created' | 'role.updated' | 'role.archived' | 'role.unarchived';
    readonly RoleChange: {
      /** @description As in `overallThreshold`, `notice.text` or `dimensions.weight`. */
      readonly path: string;
      /** @description Of the dimension that the change is about. */
      readonly dimensionName: string | null;
      /** @description As the role’s field has it; `null`: there was none. */
      readonly before: unknown;
      /** @description As the role’s field has it; `null`: there is none any more. */
      readonly after: unknown;
    };
    readonly RoleDifference: {
      readonly from: number;
      readonly to: number;
      readonly changes: readonly components['schemas']['RoleChange'][];
    };
    readonly RoleMeasures: {
      /** Format: uuid */
      readonly roleId: string;
      readonly dimensions: readonly components['schemas']['DimensionMeasures'][];
    };
    readonly RoleNotice: {
      readonly version: string;
      readonly text: string;
    };
    /** @enum {string} */
    readonly RoleOrder: 'createdAt' | '-createdAt';
    readonly RolePage: {
      readonly items: readonly components['schemas']['Role'][];
      /** @description The `cursor` of the next page; `null` on the last. */
      readonly nextCursor: string | null;
    };
    readonly RoleSignal: {
      /** Format: uuid */
      readonly roleId: string;
      readonly roleName: string;
      readonly trialCompletedCount: number;
      readonly outcomeRecordedCount: number;
      readonly awaitingOutcomeCount: number;
      readonly humanRound: components['schemas']['HumanRoundCounts'];
      readonly disposition: components['schemas']['DispositionCounts'];
    };
    readonly RoleStages: {
      /** Format: uuid */
      readonly roleId: string;
      readonly roleName: string;
      readonly started: components['schemas']['StageTime'];
      readonly completed: components['schemas']['StageTime'];
      readonly evaluated: components['schemas']['StageTime'];
      readonly decided: components['schemas']['StageTime'];
    };
    /** @enum {string} */
    readonly RoleStatus: 'draft' | 'ready';
    readonly RoleTemplate: {
      readonly id: components['schemas']['RoleTemplateId'];
      readonly language: components['schemas']['Language'];
      /** @description For staff: what the role is for. */
      readonly description: string;
      readonly name: string;
      readonly overallThreshold: number;
      readonly questions: readonly components['schemas']['PlannedQuestion'][];
      /** @description For candidates. Markdown: headings, paragraphs, lists, quotes, code, tables, rules, emphasis and links. Anything else, such as HTML, is shown as text; an image is shown as a link. */
      readonly instructions: string | null;
      /** @description How long the work is meant to take. */
      readonly timeFrameMinutes: number | null;
      readonly dimensions: readonly components['schemas']['RoleTemplateDimension'][];
      readonly ticket: components['schemas']['RoleTemplateTicket'];
    };
    readonly RoleTemplateDimension: {
      readonly name: string;
      readonly weight: number;
      readonly category: string;
      readonly threshold: number | null;
      readonly rubric: string | null;
    };
    /** @enum {string} */
    readonly RoleTemplateId: 'backend' | 'frontend' | 'data' | 'support';
    readonly RoleTemplateTicket: {
      readonly title: string;
      /** @description Markdown: headings, paragraphs, lists, quotes, code, tables, rules, emphasis and links. Anything else, such as HTML, is shown as text; an image is shown as a link. */
      readonly description: string;
      readonly estimatedMinutes: number;
      readonly kind: components['schemas']['TicketKind'];
      /** @description Of the files that its work begins with. */
      readonly starterPaths: readonly string[];
    };
    readonly RoleTemplates: {
      readonly items: readonly components['schemas']['RoleTemplate'][];
    };
    readonly RoleVersion: {
      readonly version: number;
      /** Format: date-time */
      readonly at: string;
      readonly actor: components['schemas']['Actor'];
      readonly action: components['schemas']['RoleAction'];
      /** @description What differs from the definition of the version before; none of the first. */
      readonly changes: readonly components['schemas']['RoleChange'][];
    };
    readonly RoleVersionPage: {
      readonly items: readonly components['schemas']['RoleVersion'][];
      /** @description The `cursor` of the next page; `null` on the last. */
      readonly nextCursor: string | null;
    };
    readonly RotateSecret: {
      readonly formerSecretValidHours?: number;
    };
    readonly SavedView: {
      /** Format: uuid */
      readonly id: string;
      readonly list: components['schemas']['SavedViewList'];
      /** @description `null` once it was erased. */
      readonly name: string | null;
      readonly filter: components['schemas']['SavedViewFilter'];
      /** @description What it searched for, and its name, were erased with the candidate whose address or id it was: the filter lacks `text`, and the view shows nothing. */
      readonly erased: boolean;
      /** @description Whether all members who may read the list see it. */
      readonly shared: boolean;
      /** @description Whether it is the caller’s. */
      readonly mine: boolean;
      /** Format: date-time */
      readonly createdAt: string;
      /** @description The subject of the member who made it. */
      readonly createdBy: string;
      /** Format: date-time */
      readonly updatedAt: string;
      readonly version: number;
    };
    readonly SavedViewFilter: {
      /** Format: uuid */
      readonly roleId?: string;
      /** Format: uuid */
      readonly candidateId?: string;
      readonly status?: components['schemas']['SavedViewStatus'];
      readonly outcome?: components['schemas']['OutcomeStatus'];
      readonly waiting?: components['schemas']['SavedViewWaiting'];
      /** Format: date-time */
      readonly from?: string;
      /** Format: date-time */
      readonly to?: string;
      readonly sort?: components['schemas']['SavedViewSort'];
      readonly passed?: boolean;
      readonly minScore?: number;
      readonly maxScore?: number;
      /** @description What the list is searched for: the whole e-mail address of a candidate, or a text without `@`. It is stored encrypted. */
      readonly text?: string;
    };
    /** @enum {string} */
    readonly SavedViewList: 'applications' | 'evaluations';
    readonly SavedViewPage: {
      readonly items: readonly components['schemas']['SavedView'][];
      /** @description The `cursor` of the next page; `null` on the last. */
      readonly nextCursor: string | null;
    };
    /** @enum {string} */
    readonly SavedViewSort:
      | 'invitedAt'
      | '-invitedAt'
      | 'roleName'
      | '-roleName'
      | 'completedAt'
      | '-completedAt'
      | 'overallScore'
      | '-overallScore';
    /** @enum {string} */
    readonly SavedViewStatus:
      | 'invited'
      | 'in_progress'
      | 'completed'
      | 'withdrawn'
      | 'expired'
      | 'erased'
      | 'generating'
      | 'ready'
      | 'failed';
    /** @enum {string} */
    readonly SavedViewWaiting:
      'outcome' | 'expiring' | 'accommodation' | 'erasure' | 'failed' | 'contested' | 'overdue';
    readonly Score: {
      /** Format: uuid */
      readonly dimensionId: string;
      readonly dimensionName: string;
      readonly dimensionCategory: string;
      readonly weight: number;
      readonly threshold: number | null;
      readonly score: number;
      readonly passed: boolean | null;
      readonly rationale: string | null;
      readonly unchecked: components['schemas']['UncheckedWork'] | null;
      readonly evidenceEventIds: readonly string[];
    };
    readonly ScoreSummary: {
      /** Format: uuid */
      readonly dimensionId: string;
      readonly dimensionName: string;
      readonly dimensionCategory: string;
      readonly weight: number;
      readonly threshold: number | null;
      readonly score: number;
      readonly passed: boolean | null;
      readonly unchecked: components['schemas']['UncheckedWork'] | null;
    };
    readonly ScoredBy: {
      readonly scorer: string;
      readonly version: number;
      readonly description: string;
    };
    readonly SetAccommodations: {
      /** @description The interview’s time limit and pauses are so many times as long. */
      readonly timeFactor: number;
      readonly typedOnly: boolean;
      readonly captions: boolean;
    };
    readonly SetLogo: {
      readonly data: string;
    };
    readonly ShareLink: {
      /** Format: uuid */
      readonly id: string;
      /** Format: date-time */
      readonly createdAt: string;
      /** @description The subject of the member who created it. */
      readonly createdBy: string;
      /** @description What staff call it: it is shown on the report. An erasure removes it. */
      readonly label: string | null;
      /** Format: date-time */
      readonly expiresAt: string;
      /** Format: date-time */
      readonly revokedAt: string | null;
      readonly views: number;
    };
    readonly ShareLinkPage: {
      readonly items: readonly components['schemas']['ShareLink'][];
      /** @description The `cursor` of the next page; `null` on the last. */
      readonly nextCursor: string | null;
    };
    readonly SharedReport: {
      readonly organisationName: string;
      readonly organisationLogo: components['schemas']['Logo'] | null;
      readonly roleName: string;
      /** @description What staff called the link. */
      readonly label: string | null;
      /** @constant */
      readonly status: 'ready';
      readonly overallScore: number | null;
      readonly overallThreshold: number;
      readonly passed: boolean | null;
      readonly scores: readonly components['schemas']['SharedScore'][];
      /** Format: date-time */
      readonly generatedAt: string;
      /**
       * Format: date-time
       * @description When the link expires.
       */
      readonly expiresAt: string;
      /** @description The organisation’s, in which the page shows times. */
      readonly timeZone: string;
    };
    readonly SharedScore: {
      readonly dimensionName: string;
      readonly dimensionCategory: string;
      readonly score: number;
      /** @description What the score does not prove: what could not be checked and what that costs at most, and what the score rests on if no check vouches for it. `null`: nothing. */
      readonly caveat: string | null;
    };
    /** @enum {string} */
    readonly ShownScores: 'dimensions';
    readonly ShownWork: {
      /** Format: uuid */
      readonly handInId: string;
      /** @description How it differs from what the ticket began with: `path:line+ text` for a line of the hand-in, `path:line- text` for one that it has no more. */
      readonly lines: readonly string[];
      /** @description What is not shown by its lines, and what was cut. */
      readonly notes: readonly string[];
    };
    readonly SignalMeasure: {
      readonly signal: string;
      /** @description What it counts, as a sentence. */
      readonly counts: string;
      /** @description Who vouches for what it counts. */
      readonly sources: readonly components['schemas']['EvidenceSource'][];
      /** @description The most points that it gives, out of 100. */
      readonly points: number;
      /** @description It counts only if it raises the score: a session that lacks it can reach 100 all the same. */
      readonly onlyRaises: boolean;
    };
    /** @description `roles` are those of the signal, in its order; `totals` are of all their applications. */
    readonly SignalStages: {
      readonly roles: readonly components['schemas']['RoleStages'][];
      readonly totals: components['schemas']['StageTotals'];
      readonly applicationCount: number;
      /** @description Whether the organisation has more applications than the 20000 newest, which are counted. */
      readonly isCut: boolean;
    };
    /** @description `roles` are ordered by name, then by id; `totals` are their sum. */
    readonly SignalSummary: {
      readonly roles: readonly components['schemas']['RoleSignal'][];
      readonly totals: components['schemas']['SignalTotals'];
    };
    readonly SignalTotals: {
      readonly trialCompletedCount: number;
      readonly outcomeRecordedCount: number;
      readonly awaitingOutcomeCount: number;
      readonly humanRound: components['schemas']['HumanRoundCounts'];
      readonly disposition: components['schemas']['DispositionCounts'];
    };
    /** @description The hand-in of another candidate that the finding `copied_from_other_hand_in` of the last evaluation is about; `null` if there is none, and once that candidate was erased. `null` for members who may not read work (`work.read`). */
    readonly SimilarHandIn: {
      /** Format: uuid */
      readonly trialSessionId: string;
      /** Format: uuid */
      readonly handInId: string;
    };
    readonly StaffCheckRun: {
      /** Format: date-time */
      readonly checkedAt: string;
      readonly outcome: components['schemas']['CheckOutcome'];
      readonly reason: components['schemas']['CheckFailure'] | null;
      /** @description The reason as a sentence. */
      readonly message: string | null;
      readonly isolation: components['schemas']['CheckIsolation'];
      readonly checks: components['schemas']['CheckedSets'];
      readonly runner: components['schemas']['CheckRunner'];
      readonly visible: components['schemas']['TestTally'];
      readonly hidden: components['schemas']['TestTally'];
      /** @description How long it took. */
      readonly ms: number;
      /** @description Messages, then tests are left out where they take too much room: the tallies count all. `null` for members who may not read work (`work.read`), and once it can no longer be read. */
      readonly tests: readonly components['schemas']['StaffCheckedTest'][] | null;
      /** @description The end of what the checker and the tests wrote. `null` for members who may not read work (`work.read`), and once it can no longer be read. */
      readonly output: string | null;
      /** @description More on the reason. `null` for members who may not read work (`work.read`), and once it can no longer be read. */
      readonly detail: string | null;
    };
    readonly StaffCheckedTest: {
      readonly name: string;
      readonly status: components['schemas']['CheckedTestStatus'];
      readonly message: string | null;
      readonly hidden: boolean;
    };
    readonly StaffHandIn: {
      /** Format: uuid */
      readonly id: string;
      /** Format: uuid */
      readonly ticketId: string;
      /** @description As the candidate calls the file. `null` for members who may not read work (`work.read`). */
      readonly name: string | null;
      readonly bytes: number;
      /** @description Lower-case hex. `null` for members who may not read work (`work.read`). */
      readonly sha256: string | null;
      readonly status: components['schemas']['HandInStatus'];
      /** @description Why it is refused, as its candidate was told. `null` for members who may not read work (`work.read`). */
      readonly refusal: string | null;
      /** @description Files that it unpacks to; `null` until it is handed in. */
      readonly fileCount: number | null;
      /** @description Lower-case hex. `null` for members who may not read work (`work.read`). */
      readonly treeSha256: string | null;
      /** Format: date-time */
      readonly begunAt: string;
      /** Format: date-time */
      readonly handedInAt: string | null;
    };
    /** @description `visible`: the visible checks, run while the session was open. `all`: all checks, run after it; this result counts. Each is `null` without a result. */
    readonly StaffHandInChecks: {
      readonly visible: components['schemas']['StaffCheckRun'] | null;
      readonly all: components['schemas']['StaffCheckRun'] | null;
    };
    readonly StaffHandInPage: {
      readonly items: readonly components['schemas']['StaffHandIn'][];
      /** @description The `cursor` of the next page; `null` on the last. */
      readonly nextCursor: string | null;
    };
    readonly StaffHandInWithFiles: {
      /** Format: uuid */
      readonly id: string;
      /** Format: uuid */
      readonly ticketId: string;
      /** @description As the candidate calls the file. `null` for members who may not read work (`work.read`). */
      readonly name: string | null;
      readonly bytes: number;
      /** @description Lower-case hex. `null` for members who may not read work (`work.read`). */
      readonly sha256: string | null;
      readonly status: components['schemas']['HandInStatus'];
      /** @description Why it is refused, as its candidate was told. `null` for members who may not read work (`work.read`). */
      readonly refusal: string | null;
      /** @description Files that it unpacks to; `null` until it is handed in. */
      readonly fileCount: number | null;
      /** @description Lower-case hex. `null` for members who may not read work (`work.read`). */
      readonly treeSha256: string | null;
      /** Format: date-time */
      readonly begunAt: string;
      /** Format: date-time */
      readonly handedInAt: string | null;
      /** @description What it unpacks to, by path; `null` until it is handed in. `null` for members who may not read work (`work.read`). */
      readonly files: readonly components['schemas']['TreeFile'][] | null;
      readonly similarTo: components['schemas']['SimilarHandIn'] | null;
    };
    readonly StageTime: {
      /** @description The applications that have come through the stage. */
      readonly count: number;
      /** @description Of an even count, the mean of both in the middle. */
      readonly medianSeconds: number | null;
      /** @description The shortest time that nine of ten have not exceeded. */
      readonly p90Seconds: number | null;
    };
    readonly StageTotals: {
      readonly started: components['schemas']['StageTime'];
      readonly completed: components['schemas']['StageTime'];
      readonly evaluated: components['schemas']['StageTime'];
      readonly decided: components['schemas']['StageTime'];
    };
    readonly StartTrialSession: {
      /** @constant */
      readonly consent: true;
      readonly noticeVersion?: string;
    };
    /**
     * @description Tests were run. Scores count it and its results if that raises them, and for correctness only without checks.
     * @example {
     *       "clientEventId": "0197f0a4-7d20-7a11-8c55-2b3c4d5e6f70",
     *       "eventType": "test.run",
     *       "occurredAt": "2026-01-05T09:12:00.000Z",
     *       "payload": {
     *         "passed": 9,
     *         "failed": 1,
     *         "durationMs": 812.5
     *       }
     *     }
     */
    readonly TestRunActivity: {
      /** @description Chosen by the client. An event whose id the session knows is a duplicate. */
      readonly clientEventId: string;
      /** @constant */
      readonly eventType: 'test.run';
      /** Format: date-time */
      readonly occurredAt: string;
      readonly payload: components['schemas']['TestRunPayload'];
    };
    readonly TestRunPayload: {
      /** @description Tests that passed. */
      readonly passed: number;
      /** @description Tests that failed. */
      readonly failed: number;
      /** @description How long it took, in milliseconds. */
      readonly durationMs: number;
    } & {
      readonly [key: string]: unknown;
    };
    /** @description All are 0 without a result. `errors`: tests that could not be carried out themselves. */
    readonly TestTally: {
      readonly passed: number;
      readonly failed: number;
      readonly errors: number;
    };
    readonly Ticket: {
      /** Format: uuid */
      readonly id: string;
      /** Format: uuid */
      readonly organisationId: string;
      readonly title: string;
      /** @description Markdown: headings, paragraphs, lists, quotes, code, tables, rules, emphasis and links. Anything else, such as HTML, is shown as text; an image is shown as a link. */
      readonly description: string | null;
      readonly links: readonly components['schemas']['TicketLink'][];
      readonly estimatedMinutes: number | null;
      readonly kind: components['schemas']['TicketKind'] | null;
      readonly starter: components['schemas']['FileSet'] | null;
      readonly checks: components['schemas']['TicketChecks'] | null;
      readonly version: number;
      /** Format: date-time */
      readonly createdAt: string;
      /** Format: date-time */
      readonly updatedAt: string;
    };
    readonly TicketChecks: {
      readonly visible: components['schemas']['FileSet'] | null;
      readonly hidden: components['schemas']['FileSet'] | null;
      /** @description The name by which the checker finds what it runs. */
      readonly slug: string;
      readonly isolation: components['schemas']['CheckIsolation'];
    };
    /**
     * @description The candidate marked a ticket as finished for which nothing is handed in. Scores count it, for correctness only without checks.
     * @example {
     *       "clientEventId": "0197f0a4-7d20-7a11-8c55-2b3c4d5e6f70",
     *       "eventType": "ticket.finished",
     *       "occurredAt": "2026-01-05T09:12:00.000Z",
     *       "payload": {
     *         "ticketId": "T-1"
     *       }
     *     }
     */
    readonly TicketFinishedActivity: {
      /** @description Chosen by the client. An event whose id the session knows is a duplicate. */
      readonly clientEventId: string;
      /** @constant */
      readonly eventType: 'ticket.finished';
      /** Format: date-time */
      readonly occurredAt: string;
      readonly payload: components['schemas']['TicketFinishedPayload'];
    };
    readonly TicketFinishedPayload: {
      /** @description The ticket. Scores count the tickets of the role: its `ticketIds`. */
      readonly ticketId: string;
    } & {
      readonly [key: string]: unknown;
    };
    /**
     * @description What is handed in: files, or a written answer. `null`: nothing is, the work is done elsewhere.
     * @enum {string}
     */
    readonly TicketKind: 'files' | 'text';
    readonly TicketLink: {
      readonly title: string;
      /** @description As it was given. */
      readonly url: string;
    };
    /** @enum {string} */
    readonly TicketProgress: 'started' | 'finished';
    /**
     * @description The candidate started a ticket for which nothing is handed in. Scores count it.
     * @example {
     *       "clientEventId": "0197f0a4-7d20-7a11-8c55-2b3c4d5e6f70",
     *       "eventType": "ticket.started",
     *       "occurredAt": "2026-01-05T09:12:00.000Z",
     *       "payload": {
     *         "ticketId": "T-1"
     *       }
     *     }
     */
    readonly TicketStartedActivity: {
      /** @description Chosen by the client. An event whose id the session knows is a duplicate. */
      readonly clientEventId: string;
      /** @constant */
      readonly eventType: 'ticket.started';
      /** Format: date-time */
      readonly occurredAt: string;
      readonly payload: components['schemas']['TicketStartedPayload'];
    };
    readonly TicketStartedPayload: {
      /** @description The ticket. Scores count the tickets of the role: its `ticketIds`. */
      readonly ticketId: string;
    } & {
      readonly [key: string]: unknown;
    };
    readonly TimelineEntry: {
      /**
       * Format: uuid
       * @description The entry’s own id, the same as in the audit trail.
       */
      readonly id: string;
      /** Format: date-time */
      readonly at: string;
      readonly actor: components['schemas']['Actor'];
      readonly action: string;
      readonly subject: components['schemas']['AuditSubject'];
      /**
       * Format: uuid
       * @description The application that it concerns. `null`: it concerns the candidate in all of them.
       */
      readonly applicationId: string | null;
    };
    readonly TimelineEntryPage: {
      readonly items: readonly components['schemas']['TimelineEntry'][];
      /** @description The `cursor` of the next page; `null` on the last. */
      readonly nextCursor: string | null;
    };
    readonly TreeFile: {
      /** @description Relative, with `/` between names, in Unicode’s form NFC. */
      readonly path: string;
      readonly bytes: number;
      /** @description Of its content, in lower-case hex. */
      readonly sha256: string;
    };
    readonly TrialCompletedNotice: {
      /** @constant */
      readonly type: 'trial.completed';
      /** Format: date-time */
      readonly timestamp: string;
      readonly data: components['schemas']['TrialCompletedNoticeData'];
    };
    readonly TrialCompletedNoticeData: {
      /** Format: uuid */
      readonly organisationId: string;
      /** Format: uuid */
      readonly candidateId: string;
      /** Format: uuid */
      readonly applicationId: string;
      /** Format: uuid */
      readonly trialSessionId: string;
      /** Format: uuid */
      readonly roleId: string;
      /** Format: uuid */
      readonly evaluationId: string;
    };
    readonly TrialExpiredNotice: {
      /** @constant */
      readonly type: 'trial.expired';
      /** Format: date-time */
      readonly timestamp: string;
      readonly data: components['schemas']['TrialExpiredNoticeData'];
    };
    readonly TrialExpiredNoticeData: {
      /** Format: uuid */
      readonly organisationId: string;
      /** Format: uuid */
      readonly candidateId: string;
      /** Format: uuid */
      readonly applicationId: string;
      /** Format: uuid */
      readonly trialSessionId: string;
      /** Format: uuid */
      readonly roleId: string;
    };
    readonly TrialSession: {
      /** Format: uuid */
      readonly id: string;
      /** Format: uuid */
      readonly applicationId: string;
      readonly status: components['schemas']['TrialSessionStatus'];
      /** @description As it was at the invitation. */
      readonly roleName: string;
      /** Format: date-time */
      readonly invitedAt: string;
      /** Format: date-time */
      readonly startedAt: string | null;
      /** Format: date-time */
      readonly endedAt: string | null;
      /** Format: date-time */
      readonly expiresAt: string;
      /** Format: uuid */
      readonly evaluationId: string | null;
      readonly version: number;
    };
    readonly TrialSessionReceipts: {
      /** @description The session has ended: what is not recorded now never will be. */
      readonly ended: boolean;
      /** @description Those of the ids under which something was recorded. */
      readonly recorded: readonly string[];
      readonly lastAudioSeq: number;
    };
    /** @enum {string} */
    readonly TrialSessionStatus:
      'invited' | 'started' | 'interrupted' | 'completed' | 'expired' | 'withdrawn';
    readonly TrialSessionSummary: {
      /** Format: uuid */
      readonly id: string;
      readonly status: components['schemas']['TrialSessionStatus'];
    };
    readonly TrialStartedNotice: {
      /** @constant */
      readonly type: 'trial.started';
      /** Format: date-time */
      readonly timestamp: string;
      readonly data: components['schemas']['TrialStartedNoticeData'];
    };
    readonly TrialStartedNoticeData: {
      /** Format: uuid */
      readonly organisationId: string;
      /** Format: uuid */
      readonly candidateId: string;
      /** Format: uuid */
      readonly applicationId: string;
      /** Format: uuid */
      readonly trialSessionId: string;
      /** Format: uuid */
      readonly roleId: string;
    };
    readonly TrialWithdrawnNotice: {
      /** @constant */
      readonly type: 'trial.withdrawn';
      /** Format: date-time */
      readonly timestamp: string;
      readonly data: components['schemas']['TrialWithdrawnNoticeData'];
    };
    readonly TrialWithdrawnNoticeData: {
      /** Format: uuid */
      readonly organisationId: string;
      /** Format: uuid */
      readonly candidateId: string;
      /** Format: uuid */
      readonly applicationId: string;
      /** Format: uuid */
      readonly trialSessionId: string;
      /** Format: uuid */
      readonly roleId: string;
    };
    /** @description Checks without a result. A score is what is proven: they earn nothing. */
    readonly UncheckedWork: {
      /** @description How many points out of 100 the score would have more, if all tests of the checks without a result had passed. At most 6 decimal places. */
      readonly points: number;
      readonly checks: readonly components['schemas']['FailedChecks'][];
      /** @description The same as sentences, with what can be done. */
      readonly text: string;
    };
    readonly UpdateDimension: {
      /** Format: uuid */
      readonly id?: string;
      readonly name: string;
      readonly weight: number;
      readonly category: components['schemas']['DimensionCategory'];
      readonly threshold?: number | null;
      readonly rubric?: string | null;
    };
    readonly UpdateMember: {
      readonly role: components['schemas']['MemberRole'];
    };
    readonly UpdateNotice: {
      readonly version: string;
      readonly text: string;
    };
    readonly UpdateOrganisation: {
      /** @description It is shown in mails: it must not hold an e-mail address, the address of a page, control characters or marks of direction. */
      readonly name?: string;
      readonly recordAudio?: boolean;
      readonly retentionDays?: number | null;
      readonly candidateResults?: components['schemas']['CandidateResults'];
      /** @description Mails and pages show times in it, by its name in the IANA database, such as `Europe/Berlin`. */
      readonly timeZone?: string;
      /** @description Mails to candidates come from this name; `null`: from the organisation’s name. It is shown in mails: it must not hold an e-mail address, the address of a page, control characters or marks of direction. */
      readonly senderName?: string | null;
    };
    readonly UpdateQuestion: {
      readonly text: string;
      readonly dimensionName?: string | null;
    };
    readonly UpdateRole: {
      /** @description It is shown in mails: it must not hold an e-mail address, the address of a page, control characters or marks of direction. */
      readonly name: string;
      readonly overallThreshold: number;
      readonly dimensions: readonly components['schemas']['UpdateDimension'][];
      readonly ticketIds?: readonly string[];
      readonly questions?: readonly components['schemas']['UpdateQuestion'][];
      readonly instructions?: string | null;
      readonly timeFrameMinutes?: number | null;
      readonly notice?: components['schemas']['UpdateNotice'] | null;
      readonly reminderDays?: readonly number[];
      readonly answerPauseMs?: number;
      readonly aiPolicy?: components['schemas']['AiPolicy'] | null;
    };
    readonly UpdateTicket: {
      readonly title?: string;
      readonly description?: string | null;
      readonly links?: readonly components['schemas']['WriteTicketLink'][];
      readonly estimatedMinutes?: number | null;
      readonly kind?: components['schemas']['TicketKind'] | null;
      /** Format: uuid */
      readonly starter?: string | null;
      readonly checks?: components['schemas']['WriteTicketChecks'] | null;
    };
    /** @enum {string} */
    readonly WaitingApplication: 'outcome' | 'expiring' | 'accommodation' | 'erasure';
    /** @enum {string} */
    readonly WaitingEvaluation: 'failed' | 'contested' | 'overdue';
    readonly Webhook: {
      /** Format: uuid */
      readonly id: string;
      /** @description As it was given. */
      readonly url: string;
      readonly events: readonly components['schemas']['NoticeType'][];
      /** Format: date-time */
      readonly createdAt: string;
      /**
       * Format: date-time
       * @description Until when notices are signed with the former secret too; `null` until the secret is rotated.
       */
      readonly formerSecretValidUntil: string | null;
      readonly version: number;
    };
    /** @description Of the last attempt, `lastResponseStatus` is the HTTP status and `lastFault` why there was no answer. `nextAttemptAt` is `null` unless the delivery is pending. */
    readonly WebhookDelivery: {
      /** Format: uuid */
      readonly id: string;
      readonly type: components['schemas']['DeliveredType'];
      /** Format: date-time */
      readonly createdAt: string;
      readonly status: components['schemas']['DeliveryStatus'];
      readonly attempts: number;
      /** Format: date-time */
      readonly lastAttemptAt: string | null;
      readonly lastResponseStatus: number | null;
      readonly lastFault: components['schemas']['DeliveryFault'] | null;
      /** Format: date-time */
      readonly nextAttemptAt: string | null;
    };
    readonly WebhookDeliveryPage: {
      readonly items: readonly components['schemas']['WebhookDelivery'][];
      /** @description The `cursor` of the next page; `null` on the last. */
      readonly nextCursor: string | null;
    };
    readonly WebhookPage: {
      readonly items: readonly components['schemas']['Webhook'][];
      /** @description The `cursor` of the next page; `null` on the last. */
      readonly nextCursor: string | null;
    };
    readonly WebhookTestNotice: {
      /** @constant */
      readonly type: 'webhook.test';
      /** Format: date-time */
      readonly timestamp: string;
      readonly data: components['schemas']['WebhookTestNoticeData'];
    };
    readonly WebhookTestNoticeData: {
      /** Format: uuid */
      readonly organisationId: string;
      /** Format: uuid */
      readonly webhookId: string;
    };
    readonly WorkDifference: {
      /**
       * Format: uuid
       * @description The earlier hand-in. `null`: the ticket’s starter, as the session began with it; without one all files are added.
       */
      readonly from: string | null;
      /** @description Files that differ, by path. */
      readonly files: readonly components['schemas']['FileDifference'][];
    };
    readonly WriteTicketChecks: {
      /** Format: uuid */
      readonly visible?: string | null;
      /** Format: uuid */
      readonly hidden?: string | null;
      readonly slug: string;
      readonly isolation: components['schemas']['CheckIsolation'];
    };
    readonly WriteTicketLink: {
      readonly title: string;
      readonly url: string;
    };
  };
  responses: {
    /**
     * @description `validation_failed`: The request is wrong in itself; `details` names each offending field.
     *
     *     `malformed_json`: The body is not valid JSON, or nests more than 32 levels deep.
     */
    readonly BadRequest: {
      headers: {
        readonly 'X-Request-Id': components['headers']['X-Request-Id'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['Error'];
      };
    };
    /**
     * @description `missing_token`: The credential is missing or malformed.
     *
     *     `invalid_token`: The ID token did not pass verification.
     */
    readonly Unauthorized: {
      headers: {
        readonly 'WWW-Authenticate': components['headers']['WWW-Authenticate'];
        readonly 'X-Request-Id': components['headers']['X-Request-Id'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['Error'];
      };
    };
    /** @description `forbidden`: Not a member of this organisation (or there is no such organisation), or the role does not allow it. On a candidate’s paths: the ID token does not say whether its e-mail address is verified. */
    readonly Forbidden: {
      headers: {
        readonly 'X-Request-Id': components['headers']['X-Request-Id'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['Error'];
      };
    };
    /** @description `not_found`: There is no such record, or the caller may not know of it. */
    readonly NotFound: {
      headers: {
        readonly 'X-Request-Id': components['headers']['X-Request-Id'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['Error'];
      };
    };
    /** @description `conflict`: Others changed the same record again and again meanwhile. */
    readonly Conflict: {
      headers: {
        readonly 'X-Request-Id': components['headers']['X-Request-Id'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['Error'];
      };
    };
    /** @description `erased`: What was held about the candidate was erased for good. */
    readonly Gone: {
      headers: {
        readonly 'X-Request-Id': components['headers']['X-Request-Id'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['Error'];
      };
    };
    /** @description `version_mismatch`: The record is not at the version that If-Match names. */
    readonly PreconditionFailed: {
      headers: {
        readonly 'X-Request-Id': components['headers']['X-Request-Id'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['Error'];
      };
    };
    /** @description `too_large`: The body is larger than 256 KiB, or the headers than 16 KiB. */
    readonly ContentTooLarge: {
      headers: {
        readonly 'X-Request-Id': components['headers']['X-Request-Id'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['Error'];
      };
    };
    /** @description `unsupported_media_type`: The body is not plain `application/json` in UTF-8. */
    readonly UnsupportedMediaType: {
      headers: {
        readonly 'X-Request-Id': components['headers']['X-Request-Id'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['Error'];
      };
    };
    /** @description `too_far`: More would have to be folded than a request may. */
    readonly UnprocessableContent: {
      headers: {
        readonly 'X-Request-Id': components['headers']['X-Request-Id'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['Error'];
      };
    };
    /** @description `rate_limited`: Too many requests in a minute, or mails of an organisation in a day; `Retry-After` has the seconds to wait. */
    readonly TooManyRequests: {
      headers: {
        readonly 'Retry-After': components['headers']['Retry-After'];
        readonly 'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        readonly 'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        readonly 'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        readonly 'X-Request-Id': components['headers']['X-Request-Id'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['Error'];
      };
    };
    /** @description `internal`: A fault of the service, recorded under `requestId`. */
    readonly InternalServerError: {
      headers: {
        readonly 'X-Request-Id': components['headers']['X-Request-Id'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['Error'];
      };
    };
    /**
     * @description `unavailable`: The service cannot reach its data, or a read has not caught up; `Retry-After` has the seconds to wait.
     *
     *     `view_parked`: The record cannot be read until an operator has repaired it.
     */
    readonly ServiceUnavailable: {
      headers: {
        readonly 'Retry-After': components['headers']['Retry-After'];
        readonly 'X-Request-Id': components['headers']['X-Request-Id'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['Error'];
      };
    };
  };
  parameters: {
    /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
    readonly 'Consistency-Token': string;
    /**
     * @description The organisation.
     * @example 0197a3b0-5e1c-7000-8000-000000000001
     */
    readonly orgId: string;
    /**
     * @description The role.
     * @example 0197a3b0-5e1c-7000-8000-000000000002
     */
    readonly roleId: string;
    /** @description Sent again with the same key and body, the request gives the first answer again and does nothing more. */
    readonly 'Idempotency-Key': string;
    /** @description Only those of the candidate with this whole e-mail address; a text that is no address finds those whose role’s name begins with it. Case does not matter. Addresses are stored encrypted, so no part of one can be searched for. In percent-encoded UTF-8, as `encodeURIComponent` writes it, of at most 320 characters. It is a header because URLs are logged. */
    readonly 'Search-Text': string;
    /**
     * @description The application.
     * @example 0197a3b0-5e1c-7000-8000-000000000004
     */
    readonly applicationId: string;
    /** @description ETags that the caller has already, or `*`: the answer is 304 if one is current. */
    readonly 'If-None-Match': string;
    /** @description The ETag of the version that is to be changed; another one gives 412. `*` is any version. */
    readonly 'If-Match': string;
    /**
     * @description The trial session.
     * @example 0197a3b0-5e1c-7000-8000-000000000005
     */
    readonly trialSessionId: string;
    /**
     * @description The mail, by its `id` in the list of the application’s mails.
     * @example invitation.0197a3b0-5e1c-7000-8000-000000000012
     */
    readonly mailId: string;
    /**
     * @description The member, by its id. The subject works too and, until that is known, the URL-encoded e-mail address; but proxies may log paths.
     * @example 0197a3b0-5e1c-7000-8000-000000000012
     */
    readonly memberId: string;
    /**
     * @description The ticket.
     * @example 0197a3b0-5e1c-7000-8000-000000000010
     */
    readonly ticketId: string;
    /**
     * @description The file set.
     * @example 0197a3b0-5e1c-7000-8000-000000000014
     */
    readonly fileSetId: string;
    /**
     * @description The import.
     * @example 0197a3b0-5e1c-7000-8000-000000000016
     */
    readonly importId: string;
    /**
     * @description The hand-in.
     * @example 0197a3b0-5e1c-7000-8000-000000000013
     */
    readonly handInId: string;
    /**
     * @description The evaluation.
     * @example 0197a3b0-5e1c-7000-8000-000000000006
     */
    readonly evaluationId: string;
    /**
     * @description The evaluation.
     * @example 0197a3b0-5e1c-7000-8000-000000000006
     */
    readonly id: string;
    /**
     * @description The contest.
     * @example 0197a3b0-5e1c-7000-8000-000000000011
     */
    readonly contestId: string;
    /**
     * @description The turn of the interview.
     * @example 1
     */
    readonly turn: number;
    /** @description One range of bytes, as in `bytes=0-65535`; more than one is ignored. */
    readonly Range: string;
    /** @description The ETag that the range belongs to; another one gives the whole. */
    readonly 'If-Range': string;
    /**
     * @description The share link.
     * @example 0197a3b0-5e1c-7000-8000-000000000009
     */
    readonly shareLinkId: string;
    /**
     * @description The token of the share link.
     * @example Jf2w0nZ4bq7Yk1xU9sTg3hVc6mRd8pLe5aQoWiNyBzA
     */
    readonly token: string;
    /**
     * @description The saved view.
     * @example 0197a3b0-5e1c-7000-8000-000000000017
     */
    readonly savedViewId: string;
    /**
     * @description The API key.
     * @example 0197a3b0-5e1c-7000-8000-000000000015
     */
    readonly apiKeyId: string;
    /**
     * @description The webhook.
     * @example 0197a3b0-5e1c-7000-8000-000000000007
     */
    readonly webhookId: string;
    /**
     * @description The delivery.
     * @example 0197a3b0-5e1c-7000-8000-000000000008
     */
    readonly deliveryId: string;
  };
  requestBodies: never;
  headers: {
    /** @description What the request is known by in the service’s log: the caller’s own `X-Request-Id` if it sent one of `[A-Za-z0-9._-]{1,64}`. */
    readonly 'X-Request-Id': string;
    /** @description The version, quoted; with a hash behind a dot of what the body shows that changes without it; of a body without a version, a hash of it. */
    readonly ETag: string;
    /** @description Path of what was made. */
    readonly Location: string;
    /** @description For reads that must show this. */
    readonly 'Consistency-Token': string;
    /** @description Parts may be asked for. */
    readonly 'Accept-Ranges': 'bytes';
    /** @description Which part of how many bytes this is. */
    readonly 'Content-Range': string;
    /** @description Seconds to wait. */
    readonly 'Retry-After': number;
    /** @description Requests that may be made in a minute. */
    readonly 'RateLimit-Limit': number;
    /** @description How many of them are left. */
    readonly 'RateLimit-Remaining': number;
    /** @description Seconds until the limit begins again. */
    readonly 'RateLimit-Reset': number;
    /** @description `Bearer`, with the error of a token that was refused. */
    readonly 'WWW-Authenticate': string;
  };
  pathItems: never;
}
export type AccommodationRequest = components['schemas']['AccommodationRequest'];
export type Accommodations = components['schemas']['Accommodations'];
export type Activity = components['schemas']['Activity'];
export type ActivityReceipt = components['schemas']['ActivityReceipt'];
export type Actor = components['schemas']['Actor'];
export type ActorType = components['schemas']['ActorType'];
export type AddMember = components['schemas']['AddMember'];
export type AddMemberByEmail = components['schemas']['AddMemberByEmail'];
export type AddMemberBySubject = components['schemas']['AddMemberBySubject'];
export type AddPiece = components['schemas']['AddPiece'];
export type AiPolicy = components['schemas']['AiPolicy'];
export type AnswerContest = components['schemas']['AnswerContest'];
export type AnswerSource = components['schemas']['AnswerSource'];
export type ApiKey = components['schemas']['ApiKey'];
export type ApiKeyPage = components['schemas']['ApiKeyPage'];
export type ApiKeyScope = components['schemas']['ApiKeyScope'];
export type ApiKeyStatus = components['schemas']['ApiKeyStatus'];
export type Application = components['schemas']['Application'];
export type ApplicationCounts = components['schemas']['ApplicationCounts'];
export type ApplicationExport = components['schemas']['ApplicationExport'];
export type ApplicationMails = components['schemas']['ApplicationMails'];
export type ApplicationOrder = components['schemas']['ApplicationOrder'];
export type ApplicationPage = components['schemas']['ApplicationPage'];
export type ApplicationStatus = components['schemas']['ApplicationStatus'];
export type ApplicationSummary = components['schemas']['ApplicationSummary'];
export type ApplicationsByOutcome = components['schemas']['ApplicationsByOutcome'];
export type ApplicationsByStatus = components['schemas']['ApplicationsByStatus'];
export type ApplicationsWaiting = components['schemas']['ApplicationsWaiting'];
export type ArchiveFormat = components['schemas']['ArchiveFormat'];
export type AskedBy = components['schemas']['AskedBy'];
export type AuditEntry = components['schemas']['AuditEntry'];
export type AuditEntryPage = components['schemas']['AuditEntryPage'];
export type AuditSubject = components['schemas']['AuditSubject'];
export type AuditSubjectType = components['schemas']['AuditSubjectType'];
export type BeginFileSet = components['schemas']['BeginFileSet'];
export type BeginHandIn = components['schemas']['BeginHandIn'];
export type Briefing = components['schemas']['Briefing'];
export type BriefingTicket = components['schemas']['BriefingTicket'];
export type CandidateErasedNotice = components['schemas']['CandidateErasedNotice'];
export type CandidateErasedNoticeData = components['schemas']['CandidateErasedNoticeData'];
export type CandidateImport = components['schemas']['CandidateImport'];
export type CandidateImportPage = components['schemas']['CandidateImportPage'];
export type CandidateInvitedNotice = components['schemas']['CandidateInvitedNotice'];
export type CandidateInvitedNoticeData = components['schemas']['CandidateInvitedNoticeData'];
export type CandidateResults = components['schemas']['CandidateResults'];
export type ChangeSavedView = components['schemas']['ChangeSavedView'];
export type CheckFailure = components['schemas']['CheckFailure'];
export type CheckIsolation = components['schemas']['CheckIsolation'];
export type CheckOutcome = components['schemas']['CheckOutcome'];
export type CheckRunner = components['schemas']['CheckRunner'];
export type CheckedRow = components['schemas']['CheckedRow'];
export type CheckedSets = components['schemas']['CheckedSets'];
export type CheckedTest = components['schemas']['CheckedTest'];
export type CheckedTestStatus = components['schemas']['CheckedTestStatus'];
export type ClipboardPastedActivity = components['schemas']['ClipboardPastedActivity'];
export type ClipboardPastedPayload = components['schemas']['ClipboardPastedPayload'];
export type CloneRole = components['schemas']['CloneRole'];
export type Contest = components['schemas']['Contest'];
export type ContestAbout = components['schemas']['ContestAbout'];
export type ContestAnswer = components['schemas']['ContestAnswer'];
export type ContestEvaluation = components['schemas']['ContestEvaluation'];
export type ContestedKind = components['schemas']['ContestedKind'];
export type ContestedPart = components['schemas']['ContestedPart'];
export type Contests = components['schemas']['Contests'];
export type CreateApiKey = components['schemas']['CreateApiKey'];
export type CreateDimension = components['schemas']['CreateDimension'];
export type CreateNotice = components['schemas']['CreateNotice'];
export type CreateQuestion = components['schemas']['CreateQuestion'];
export type CreateRole = components['schemas']['CreateRole'];
export type CreateRoleFromTemplate = components['schemas']['CreateRoleFromTemplate'];
export type CreateSavedView = components['schemas']['CreateSavedView'];
export type CreateShareLink = components['schemas']['CreateShareLink'];
export type CreateTicket = components['schemas']['CreateTicket'];
export type CreateWebhook = components['schemas']['CreateWebhook'];
export type DeliveredType = components['schemas']['DeliveredType'];
export type DeliveryFault = components['schemas']['DeliveryFault'];
export type DeliveryStatus = components['schemas']['DeliveryStatus'];
export type Detection = components['schemas']['Detection'];
export type Dimension = components['schemas']['Dimension'];
export type DimensionCategory = components['schemas']['DimensionCategory'];
export type DimensionMeasures = components['schemas']['DimensionMeasures'];
export type DimensionTerm = components['schemas']['DimensionTerm'];
export type Disposition = components['schemas']['Disposition'];
export type DispositionCounts = components['schemas']['DispositionCounts'];
export type ErasureReceipt = components['schemas']['ErasureReceipt'];
export type ErasureRequest = components['schemas']['ErasureRequest'];
export type ErasureRequestedNotice = components['schemas']['ErasureRequestedNotice'];
export type ErasureRequestedNoticeData = components['schemas']['ErasureRequestedNoticeData'];
export type Error = components['schemas']['Error'];
export type ErrorCode = components['schemas']['ErrorCode'];
export type ErrorDetail = components['schemas']['ErrorDetail'];
export type Evaluation = components['schemas']['Evaluation'];
export type EvaluationContestedNotice = components['schemas']['EvaluationContestedNotice'];
export type EvaluationContestedNoticeData = components['schemas']['EvaluationContestedNoticeData'];
export type EvaluationCounts = components['schemas']['EvaluationCounts'];
export type EvaluationFailedNotice = components['schemas']['EvaluationFailedNotice'];
export type EvaluationFailedNoticeData = components['schemas']['EvaluationFailedNoticeData'];
export type EvaluationOrder = components['schemas']['EvaluationOrder'];
export type EvaluationRead = components['schemas']['EvaluationRead'];
export type EvaluationReadPage = components['schemas']['EvaluationReadPage'];
export type EvaluationReadyNotice = components['schemas']['EvaluationReadyNotice'];
export type EvaluationReadyNoticeData = components['schemas']['EvaluationReadyNoticeData'];
export type EvaluationStatus = components['schemas']['EvaluationStatus'];
export type EvaluationSummary = components['schemas']['EvaluationSummary'];
export type EvaluationSummaryPage = components['schemas']['EvaluationSummaryPage'];
export type EvaluationsByResult = components['schemas']['EvaluationsByResult'];
export type EvaluationsByStatus = components['schemas']['EvaluationsByStatus'];
export type EvaluationsWaiting = components['schemas']['EvaluationsWaiting'];
export type Evidence = components['schemas']['Evidence'];
export type EvidenceEvent = components['schemas']['EvidenceEvent'];
export type EvidenceHead = components['schemas']['EvidenceHead'];
export type EvidenceKey = components['schemas']['EvidenceKey'];
export type EvidenceKeys = components['schemas']['EvidenceKeys'];
export type EvidenceKind = components['schemas']['EvidenceKind'];
export type EvidenceSource = components['schemas']['EvidenceSource'];
export type ExplainedDimension = components['schemas']['ExplainedDimension'];
export type ExplainedFinding = components['schemas']['ExplainedFinding'];
export type ExplainedOverall = components['schemas']['ExplainedOverall'];
export type Explanation = components['schemas']['Explanation'];
export type Export = components['schemas']['Export'];
export type ExportedApplication = components['schemas']['ExportedApplication'];
export type ExportedEvaluation = components['schemas']['ExportedEvaluation'];
export type ExportedHandIn = components['schemas']['ExportedHandIn'];
export type ExportedOutcome = components['schemas']['ExportedOutcome'];
export type ExportedRecording = components['schemas']['ExportedRecording'];
export type ExtendApplication = components['schemas']['ExtendApplication'];
export type FailedChecks = components['schemas']['FailedChecks'];
export type Feedback = components['schemas']['Feedback'];
export type FileChangedActivity = components['schemas']['FileChangedActivity'];
export type FileChangedPayload = components['schemas']['FileChangedPayload'];
export type FileDifference = components['schemas']['FileDifference'];
export type FileSet = components['schemas']['FileSet'];
export type FileSetStatus = components['schemas']['FileSetStatus'];
export type FileSetUpload = components['schemas']['FileSetUpload'];
export type FileSide = components['schemas']['FileSide'];
export type FindingKind = components['schemas']['FindingKind'];
export type FindingSeverity = components['schemas']['FindingSeverity'];
export type FormerOutcome = components['schemas']['FormerOutcome'];
export type FullscreenExitedActivity = components['schemas']['FullscreenExitedActivity'];
export type FullscreenExitedPayload = components['schemas']['FullscreenExitedPayload'];
export type GapFinding = components['schemas']['GapFinding'];
export type GiveEase = components['schemas']['GiveEase'];
export type GiveFairness = components['schemas']['GiveFairness'];
export type GiveFeedback = components['schemas']['GiveFeedback'];
export type GiveFeedbackText = components['schemas']['GiveFeedbackText'];
export type HandIn = components['schemas']['HandIn'];
export type HandInChecks = components['schemas']['HandInChecks'];
export type HandInChecksState = components['schemas']['HandInChecksState'];
export type HandInPage = components['schemas']['HandInPage'];
export type HandInStatus = components['schemas']['HandInStatus'];
export type HumanRound = components['schemas']['HumanRound'];
export type HumanRoundCounts = components['schemas']['HumanRoundCounts'];
export type Hunk = components['schemas']['Hunk'];
export type ImportCandidates = components['schemas']['ImportCandidates'];
export type ImportCheck = components['schemas']['ImportCheck'];
export type ImportStatus = components['schemas']['ImportStatus'];
export type InstantFinding = components['schemas']['InstantFinding'];
export type InstantFindingKind = components['schemas']['InstantFindingKind'];
export type IntegrityFinding = components['schemas']['IntegrityFinding'];
export type InterviewerName = components['schemas']['InterviewerName'];
export type InvitationAnswer = components['schemas']['InvitationAnswer'];
export type InvitationAnswers = components['schemas']['InvitationAnswers'];
export type InviteCandidate = components['schemas']['InviteCandidate'];
export type InviteCandidates = components['schemas']['InviteCandidates'];
export type Language = components['schemas']['Language'];
export type LeftOutReason = components['schemas']['LeftOutReason'];
export type LeftOutSignal = components['schemas']['LeftOutSignal'];
export type ListedFileSet = components['schemas']['ListedFileSet'];
export type ListedTicket = components['schemas']['ListedTicket'];
export type ListedTicketChecks = components['schemas']['ListedTicketChecks'];
export type ListedTicketPage = components['schemas']['ListedTicketPage'];
export type Liveness = components['schemas']['Liveness'];
export type Logo = components['schemas']['Logo'];
export type Mail = components['schemas']['Mail'];
export type MailFault = components['schemas']['MailFault'];
export type MailKind = components['schemas']['MailKind'];
export type MailProblem = components['schemas']['MailProblem'];
export type MailState = components['schemas']['MailState'];
export type Me = components['schemas']['Me'];
export type MeasureWarning = components['schemas']['MeasureWarning'];
export type Member = components['schemas']['Member'];
export type MemberPage = components['schemas']['MemberPage'];
export type MemberRole = components['schemas']['MemberRole'];
export type Membership = components['schemas']['Membership'];
export type MessageRecipient = components['schemas']['MessageRecipient'];
export type MessageSentActivity = components['schemas']['MessageSentActivity'];
export type MessageSentPayload = components['schemas']['MessageSentPayload'];
export type ModelAnswer = components['schemas']['ModelAnswer'];
export type NetworkChangedActivity = components['schemas']['NetworkChangedActivity'];
export type NetworkChangedPayload = components['schemas']['NetworkChangedPayload'];
export type NewApiKey = components['schemas']['NewApiKey'];
export type NewShareLink = components['schemas']['NewShareLink'];
export type NewWebhook = components['schemas']['NewWebhook'];
export type NoticePreview = components['schemas']['NoticePreview'];
export type NoticeType = components['schemas']['NoticeType'];
export type OmittedLines = components['schemas']['OmittedLines'];
export type Organisation = components['schemas']['Organisation'];
export type OrganisationExport = components['schemas']['OrganisationExport'];
export type OtherActivity = components['schemas']['OtherActivity'];
export type OtherPayload = components['schemas']['OtherPayload'];
export type Outcome = components['schemas']['Outcome'];
export type OutcomeRecordedNotice = components['schemas']['OutcomeRecordedNotice'];
export type OutcomeRecordedNoticeData = components['schemas']['OutcomeRecordedNoticeData'];
export type OutcomeStatus = components['schemas']['OutcomeStatus'];
export type OverallTerm = components['schemas']['OverallTerm'];
export type OwnApplication = components['schemas']['OwnApplication'];
export type OwnContest = components['schemas']['OwnContest'];
export type OwnContestAnswer = components['schemas']['OwnContestAnswer'];
export type OwnEvaluation = components['schemas']['OwnEvaluation'];
export type OwnEvaluationSummary = components['schemas']['OwnEvaluationSummary'];
export type OwnEvaluations = components['schemas']['OwnEvaluations'];
export type OwnTrialSession = components['schemas']['OwnTrialSession'];
export type PageHiddenActivity = components['schemas']['PageHiddenActivity'];
export type PageHiddenPayload = components['schemas']['PageHiddenPayload'];
export type PageShownActivity = components['schemas']['PageShownActivity'];
export type PageShownPayload = components['schemas']['PageShownPayload'];
export type Permission = components['schemas']['Permission'];
export type PlannedQuestion = components['schemas']['PlannedQuestion'];
export type Question = components['schemas']['Question'];
export type QuestionKind = components['schemas']['QuestionKind'];
export type QuotedEvidence = components['schemas']['QuotedEvidence'];
export type Reader = components['schemas']['Reader'];
export type ReaderType = components['schemas']['ReaderType'];
export type Readiness = components['schemas']['Readiness'];
export type Received = components['schemas']['Received'];
export type RecordActivity = components['schemas']['RecordActivity'];
export type RecordDisposition = components['schemas']['RecordDisposition'];
export type RecordHumanRound = components['schemas']['RecordHumanRound'];
export type RecordOutcome = components['schemas']['RecordOutcome'];
export type RefusedChecks = components['schemas']['RefusedChecks'];
export type RefusedRow = components['schemas']['RefusedRow'];
export type ReleasedDimension = components['schemas']['ReleasedDimension'];
export type ReleasedExplanation = components['schemas']['ReleasedExplanation'];
export type ReleasedQuote = components['schemas']['ReleasedQuote'];
export type ReleasedResult = components['schemas']['ReleasedResult'];
export type RequestAccommodation = components['schemas']['RequestAccommodation'];
export type RequestedGeneration = components['schemas']['RequestedGeneration'];
export type Role = components['schemas']['Role'];
export type RoleAction = components['schemas']['RoleAction'];
export type RoleChange = components['schemas']['RoleChange'];
export type RoleDifference = components['schemas']['RoleDifference'];
export type RoleMeasures = components['schemas']['RoleMeasures'];
export type RoleNotice = components['schemas']['RoleNotice'];
export type RoleOrder = components['schemas']['RoleOrder'];
export type RolePage = components['schemas']['RolePage'];
export type RoleSignal = components['schemas']['RoleSignal'];
export type RoleStages = components['schemas']['RoleStages'];
export type RoleStatus = components['schemas']['RoleStatus'];
export type RoleTemplate = components['schemas']['RoleTemplate'];
export type RoleTemplateDimension = components['schemas']['RoleTemplateDimension'];
export type RoleTemplateId = components['schemas']['RoleTemplateId'];
export type RoleTemplateTicket = components['schemas']['RoleTemplateTicket'];
export type RoleTemplates = components['schemas']['RoleTemplates'];
export type RoleVersion = components['schemas']['RoleVersion'];
export type RoleVersionPage = components['schemas']['RoleVersionPage'];
export type RotateSecret = components['schemas']['RotateSecret'];
export type SavedView = components['schemas']['SavedView'];
export type SavedViewFilter = components['schemas']['SavedViewFilter'];
export type SavedViewList = components['schemas']['SavedViewList'];
export type SavedViewPage = components['schemas']['SavedViewPage'];
export type SavedViewSort = components['schemas']['SavedViewSort'];
export type SavedViewStatus = components['schemas']['SavedViewStatus'];
export type SavedViewWaiting = components['schemas']['SavedViewWaiting'];
export type Score = components['schemas']['Score'];
export type ScoreSummary = components['schemas']['ScoreSummary'];
export type ScoredBy = components['schemas']['ScoredBy'];
export type SetAccommodations = components['schemas']['SetAccommodations'];
export type SetLogo = components['schemas']['SetLogo'];
export type ShareLink = components['schemas']['ShareLink'];
export type ShareLinkPage = components['schemas']['ShareLinkPage'];
export type SharedReport = components['schemas']['SharedReport'];
export type SharedScore = components['schemas']['SharedScore'];
export type ShownScores = components['schemas']['ShownScores'];
export type ShownWork = components['schemas']['ShownWork'];
export type SignalMeasure = components['schemas']['SignalMeasure'];
export type SignalStages = components['schemas']['SignalStages'];
export type SignalSummary = components['schemas']['SignalSummary'];
export type SignalTotals = components['schemas']['SignalTotals'];
export type SimilarHandIn = components['schemas']['SimilarHandIn'];
export type StaffCheckRun = components['schemas']['StaffCheckRun'];
export type StaffCheckedTest = components['schemas']['StaffCheckedTest'];
export type StaffHandIn = components['schemas']['StaffHandIn'];
export type StaffHandInChecks = components['schemas']['StaffHandInChecks'];
export type StaffHandInPage = components['schemas']['StaffHandInPage'];
export type StaffHandInWithFiles = components['schemas']['StaffHandInWithFiles'];
export type StageTime = components['schemas']['StageTime'];
export type StageTotals = components['schemas']['StageTotals'];
export type StartTrialSession = components['schemas']['StartTrialSession'];
export type TestRunActivity = components['schemas']['TestRunActivity'];
export type TestRunPayload = components['schemas']['TestRunPayload'];
export type TestTally = components['schemas']['TestTally'];
export type Ticket = components['schemas']['Ticket'];
export type TicketChecks = components['schemas']['TicketChecks'];
export type TicketFinishedActivity = components['schemas']['TicketFinishedActivity'];
export type TicketFinishedPayload = components['schemas']['TicketFinishedPayload'];
export type TicketKind = components['schemas']['TicketKind'];
export type TicketLink = components['schemas']['TicketLink'];
export type TicketProgress = components['schemas']['TicketProgress'];
export type TicketStartedActivity = components['schemas']['TicketStartedActivity'];
export type TicketStartedPayload = components['schemas']['TicketStartedPayload'];
export type TimelineEntry = components['schemas']['TimelineEntry'];
export type TimelineEntryPage = components['schemas']['TimelineEntryPage'];
export type TreeFile = components['schemas']['TreeFile'];
export type TrialCompletedNotice = components['schemas']['TrialCompletedNotice'];
export type TrialCompletedNoticeData = components['schemas']['TrialCompletedNoticeData'];
export type TrialExpiredNotice = components['schemas']['TrialExpiredNotice'];
export type TrialExpiredNoticeData = components['schemas']['TrialExpiredNoticeData'];
export type TrialSession = components['schemas']['TrialSession'];
export type TrialSessionReceipts = components['schemas']['TrialSessionReceipts'];
export type TrialSessionStatus = components['schemas']['TrialSessionStatus'];
export type TrialSessionSummary = components['schemas']['TrialSessionSummary'];
export type TrialStartedNotice = components['schemas']['TrialStartedNotice'];
export type TrialStartedNoticeData = components['schemas']['TrialStartedNoticeData'];
export type TrialWithdrawnNotice = components['schemas']['TrialWithdrawnNotice'];
export type TrialWithdrawnNoticeData = components['schemas']['TrialWithdrawnNoticeData'];
export type UncheckedWork = components['schemas']['UncheckedWork'];
export type UpdateDimension = components['schemas']['UpdateDimension'];
export type UpdateMember = components['schemas']['UpdateMember'];
export type UpdateNotice = components['schemas']['UpdateNotice'];
export type UpdateOrganisation = components['schemas']['UpdateOrganisation'];
export type UpdateQuestion = components['schemas']['UpdateQuestion'];
export type UpdateRole = components['schemas']['UpdateRole'];
export type UpdateTicket = components['schemas']['UpdateTicket'];
export type WaitingApplication = components['schemas']['WaitingApplication'];
export type WaitingEvaluation = components['schemas']['WaitingEvaluation'];
export type Webhook = components['schemas']['Webhook'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
export type WebhookDeliveryPage = components['schemas']['WebhookDeliveryPage'];
export type WebhookPage = components['schemas']['WebhookPage'];
export type WebhookTestNotice = components['schemas']['WebhookTestNotice'];
export type WebhookTestNoticeData = components['schemas']['WebhookTestNoticeData'];
export type WorkDifference = components['schemas']['WorkDifference'];
export type WriteTicketChecks = components['schemas']['WriteTicketChecks'];
export type WriteTicketLink = components['schemas']['WriteTicketLink'];
export type ResponseBadRequest = components['responses']['BadRequest'];
export type ResponseUnauthorized = components['responses']['Unauthorized'];
export type ResponseForbidden = components['responses']['Forbidden'];
export type ResponseNotFound = components['responses']['NotFound'];
export type ResponseConflict = components['responses']['Conflict'];
export type ResponseGone = components['responses']['Gone'];
export type ResponsePreconditionFailed = components['responses']['PreconditionFailed'];
export type ResponseContentTooLarge = components['responses']['ContentTooLarge'];
export type ResponseUnsupportedMediaType = components['responses']['UnsupportedMediaType'];
export type ResponseUnprocessableContent = components['responses']['UnprocessableContent'];
export type ResponseTooManyRequests = components['responses']['TooManyRequests'];
export type ResponseInternalServerError = components['responses']['InternalServerError'];
export type ResponseServiceUnavailable = components['responses']['ServiceUnavailable'];
export type ParameterConsistencyToken = components['parameters']['Consistency-Token'];
export type ParameterOrgId = components['parameters']['orgId'];
export type ParameterRoleId = components['parameters']['roleId'];
export type ParameterIdempotencyKey = components['parameters']['Idempotency-Key'];
export type ParameterSearchText = components['parameters']['Search-Text'];
export type ParameterApplicationId = components['parameters']['applicationId'];
export type ParameterIfNoneMatch = components['parameters']['If-None-Match'];
export type ParameterIfMatch = components['parameters']['If-Match'];
export type ParameterTrialSessionId = components['parameters']['trialSessionId'];
export type ParameterMailId = components['parameters']['mailId'];
export type ParameterMemberId = components['parameters']['memberId'];
export type ParameterTicketId = components['parameters']['ticketId'];
export type ParameterFileSetId = components['parameters']['fileSetId'];
export type ParameterImportId = components['parameters']['importId'];
export type ParameterHandInId = components['parameters']['handInId'];
export type ParameterEvaluationId = components['parameters']['evaluationId'];
export type ParameterId = components['parameters']['id'];
export type ParameterContestId = components['parameters']['contestId'];
export type ParameterTurn = components['parameters']['turn'];
export type ParameterRange = components['parameters']['Range'];
export type ParameterIfRange = components['parameters']['If-Range'];
export type ParameterShareLinkId = components['parameters']['shareLinkId'];
export type ParameterToken = components['parameters']['token'];
export type ParameterSavedViewId = components['parameters']['savedViewId'];
export type ParameterApiKeyId = components['parameters']['apiKeyId'];
export type ParameterWebhookId = components['parameters']['webhookId'];
export type ParameterDeliveryId = components['parameters']['deliveryId'];
export type HeaderXRequestId = components['headers']['X-Request-Id'];
export type HeaderETag = components['headers']['ETag'];
export type HeaderLocation = components['headers']['Location'];
export type HeaderConsistencyToken = components['headers']['Consistency-Token'];
export type HeaderAcceptRanges = components['headers']['Accept-Ranges'];
export type HeaderContentRange = components['headers']['Content-Range'];
export type HeaderRetryAfter = components['headers']['Retry-After'];
export type HeaderRateLimitLimit = components['headers']['RateLimit-Limit'];
export type HeaderRateLimitRemaining = components['headers']['RateLimit-Remaining'];
export type HeaderRateLimitReset = components['headers']['RateLimit-Reset'];
export type HeaderWwwAuthenticate = components['headers']['WWW-Authenticate'];
export type $defs = Record<string, never>;
export interface operations {
  readonly 'me.read': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The caller, with memberships and applications. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Me'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'ownApplications.read': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description ETags that the caller has already, or `*`: the answer is 304 if one is current. */
        readonly 'If-None-Match'?: components['parameters']['If-None-Match'];
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The application.
         * @example 0197a3b0-5e1c-7000-8000-000000000004
         */
        readonly applicationId: components['parameters']['applicationId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The application. */
      readonly 200: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['OwnApplication'];
        };
      };
      /** @description The caller has it already. */
      readonly 304: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'ownApplications.requestAccommodation': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Sent again with the same key and body, the request gives the first answer again and does nothing more. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      readonly path: {
        /**
         * @description The application.
         * @example 0197a3b0-5e1c-7000-8000-000000000004
         */
        readonly applicationId: components['parameters']['applicationId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "text": "I read slowly: I would need half as much time again."
         *     }
         */
        readonly 'application/json': components['schemas']['RequestAccommodation'];
      };
    };
    readonly responses: {
      /** @description The request. */
      readonly 202: {
        headers: {
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['AccommodationRequest'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      /**
       * @description `application_closed`: The application has ended.
       *
       *     `too_many_requests`: The candidate has asked as often as possible.
       *
       *     `idempotency_key_reused`: The Idempotency-Key was used with another body.
       *
       *     `conflict`: Others changed the same record again and again meanwhile.
       */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'ownApplications.requestErasure': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Sent again with the same key and body, the request gives the first answer again and does nothing more. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      readonly path: {
        /**
         * @description The application.
         * @example 0197a3b0-5e1c-7000-8000-000000000004
         */
        readonly applicationId: components['parameters']['applicationId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The request. */
      readonly 202: {
        headers: {
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ErasureRequest'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      /**
       * @description `idempotency_key_reused`: The Idempotency-Key was used with another body.
       *
       *     `conflict`: Others changed the same record again and again meanwhile.
       */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'trialSessions.read': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description ETags that the caller has already, or `*`: the answer is 304 if one is current. */
        readonly 'If-None-Match'?: components['parameters']['If-None-Match'];
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The trial session.
         * @example 0197a3b0-5e1c-7000-8000-000000000005
         */
        readonly trialSessionId: components['parameters']['trialSessionId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The trial session. */
      readonly 200: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['OwnTrialSession'];
        };
      };
      /** @description The caller has it already. */
      readonly 304: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'trialSessions.start': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Sent again with the same key and body, the request gives the first answer again and does nothing more. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description The ETag of the version that is to be changed; another one gives 412. `*` is any version. */
        readonly 'If-Match'?: components['parameters']['If-Match'];
      };
      readonly path: {
        /**
         * @description The trial session.
         * @example 0197a3b0-5e1c-7000-8000-000000000005
         */
        readonly trialSessionId: components['parameters']['trialSessionId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "consent": true
         *     }
         */
        readonly 'application/json': components['schemas']['StartTrialSession'];
      };
    };
    readonly responses: {
      /** @description The trial session, started. */
      readonly 200: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['OwnTrialSession'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      /**
       * @description `session_ended`: The trial session has ended.
       *
       *     `notice_changed`: The notice is another one by now: read it again before consenting.
       *
       *     `idempotency_key_reused`: The Idempotency-Key was used with another body.
       *
       *     `conflict`: Others changed the same record again and again meanwhile.
       */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 412: components['responses']['PreconditionFailed'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'trialSessions.complete': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Sent again with the same key and body, the request gives the first answer again and does nothing more. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description The ETag of the version that is to be changed; another one gives 412. `*` is any version. */
        readonly 'If-Match'?: components['parameters']['If-Match'];
      };
      readonly path: {
        /**
         * @description The trial session.
         * @example 0197a3b0-5e1c-7000-8000-000000000005
         */
        readonly trialSessionId: components['parameters']['trialSessionId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The trial session, completed. */
      readonly 200: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['OwnTrialSession'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      /**
       * @description `not_started`: The trial session has not been started.
       *
       *     `session_ended`: The trial session has ended.
       *
       *     `idempotency_key_reused`: The Idempotency-Key was used with another body.
       *
       *     `conflict`: Others changed the same record again and again meanwhile.
       */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 412: components['responses']['PreconditionFailed'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'trialSessions.withdraw': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Sent again with the same key and body, the request gives the first answer again and does nothing more. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description The ETag of the version that is to be changed; another one gives 412. `*` is any version. */
        readonly 'If-Match'?: components['parameters']['If-Match'];
      };
      readonly path: {
        /**
         * @description The trial session.
         * @example 0197a3b0-5e1c-7000-8000-000000000005
         */
        readonly trialSessionId: components['parameters']['trialSessionId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The trial session, withdrawn. */
      readonly 200: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['OwnTrialSession'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      /**
       * @description `session_ended`: The trial session has ended.
       *
       *     `idempotency_key_reused`: The Idempotency-Key was used with another body.
       *
       *     `conflict`: Others changed the same record again and again meanwhile.
       */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 412: components['responses']['PreconditionFailed'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'trialSessions.readBriefing': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The trial session.
         * @example 0197a3b0-5e1c-7000-8000-000000000005
         */
        readonly trialSessionId: components['parameters']['trialSessionId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The briefing. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Briefing'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'trialSessions.readTicket': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The trial session.
         * @example 0197a3b0-5e1c-7000-8000-000000000005
         */
        readonly trialSessionId: components['parameters']['trialSessionId'];
        /**
         * @description The ticket.
         * @example 0197a3b0-5e1c-7000-8000-000000000010
         */
        readonly ticketId: components['parameters']['ticketId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The ticket. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['BriefingTicket'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'trialSessions.readStarter': {
    readonly parameters: {
      readonly query?: {
        /** @description How the files are packed. */
        readonly format?: components['schemas']['ArchiveFormat'];
      };
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The trial session.
         * @example 0197a3b0-5e1c-7000-8000-000000000005
         */
        readonly trialSessionId: components['parameters']['trialSessionId'];
        /**
         * @description The ticket.
         * @example 0197a3b0-5e1c-7000-8000-000000000010
         */
        readonly ticketId: components['parameters']['ticketId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The files, packed. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/octet-stream': string;
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      /** @description `not_started`: The trial session has not been started. */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'trialSessions.readStarterFile': {
    readonly parameters: {
      readonly query: {
        /**
         * @description As the ticket lists it.
         * @example README.md
         */
        readonly path: string;
      };
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The trial session.
         * @example 0197a3b0-5e1c-7000-8000-000000000005
         */
        readonly trialSessionId: components['parameters']['trialSessionId'];
        /**
         * @description The ticket.
         * @example 0197a3b0-5e1c-7000-8000-000000000010
         */
        readonly ticketId: components['parameters']['ticketId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The file. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/octet-stream': string;
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      /** @description `not_started`: The trial session has not been started. */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'trialSessions.readVisibleChecks': {
    readonly parameters: {
      readonly query?: {
        /** @description How the files are packed. */
        readonly format?: components['schemas']['ArchiveFormat'];
      };
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The trial session.
         * @example 0197a3b0-5e1c-7000-8000-000000000005
         */
        readonly trialSessionId: components['parameters']['trialSessionId'];
        /**
         * @description The ticket.
         * @example 0197a3b0-5e1c-7000-8000-000000000010
         */
        readonly ticketId: components['parameters']['ticketId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The files, packed. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/octet-stream': string;
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      /** @description `not_started`: The trial session has not been started. */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'trialSessions.recordActivity': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Sent again with the same key and body, the request gives the first answer again and does nothing more. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      readonly path: {
        /**
         * @description The trial session.
         * @example 0197a3b0-5e1c-7000-8000-000000000005
         */
        readonly trialSessionId: components['parameters']['trialSessionId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "events": [
         *         {
         *           "clientEventId": "tab-1-event-7",
         *           "eventType": "test.run",
         *           "occurredAt": "2026-03-01T09:30:00.000Z",
         *           "payload": {
         *             "passed": 11,
         *             "failed": 1,
         *             "durationMs": 4200
         *           }
         *         },
         *         {
         *           "clientEventId": "tab-1-event-8",
         *           "eventType": "message.sent",
         *           "occurredAt": "2026-03-01T09:31:10.000Z",
         *           "payload": {
         *             "text": "Which of these two tests is wrong?",
         *             "to": "assistant"
         *           }
         *         }
         *       ]
         *     }
         */
        readonly 'application/json': components['schemas']['RecordActivity'];
      };
    };
    readonly responses: {
      /** @description How much of the batch was new, and how far the session’s evidence goes with it. */
      readonly 202: {
        headers: {
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ActivityReceipt'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      /**
       * @description `not_started`: The trial session has not been started.
       *
       *     `session_ended`: The trial session has ended.
       *
       *     `idempotency_key_reused`: The Idempotency-Key was used with another body.
       *
       *     `conflict`: Others changed the same record again and again meanwhile.
       */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /**
       * @description `session_full`: The trial session holds all the evidence that it may.
       *
       *     `too_large`: The body is larger than 256 KiB, or the headers than 16 KiB.
       */
      readonly 413: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'trialSessions.readReceipts': {
    readonly parameters: {
      readonly query?: {
        /** @description An `id` of a message of the interview, or a `clientEventId` of an activity. */
        readonly id?: readonly string[];
      };
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The trial session.
         * @example 0197a3b0-5e1c-7000-8000-000000000005
         */
        readonly trialSessionId: components['parameters']['trialSessionId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description What was recorded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TrialSessionReceipts'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'trialSessions.giveFeedback': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Sent again with the same key and body, the request gives the first answer again and does nothing more. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      readonly path: {
        /**
         * @description The trial session.
         * @example 0197a3b0-5e1c-7000-8000-000000000005
         */
        readonly trialSessionId: components['parameters']['trialSessionId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "ease": 4,
         *       "fairness": 5,
         *       "text": "The tasks were clear."
         *     }
         */
        readonly 'application/json': components['schemas']['GiveFeedback'];
      };
    };
    readonly responses: {
      /** @description The feedback. */
      readonly 201: {
        headers: {
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Feedback'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      /**
       * @description `trial_not_completed`: The trial has not been completed.
       *
       *     `already_given`: Feedback on the trial session was given already.
       *
       *     `idempotency_key_reused`: The Idempotency-Key was used with another body.
       *
       *     `conflict`: Others changed the same record again and again meanwhile.
       */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'handIns.list': {
    readonly parameters: {
      readonly query?: {
        /** @description How many items at most. A page of large items may hold fewer. */
        readonly limit?: number;
        /** @description The `nextCursor` of the page before, which was asked for with the same other parameters. */
        readonly cursor?: string;
      };
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The trial session.
         * @example 0197a3b0-5e1c-7000-8000-000000000005
         */
        readonly trialSessionId: components['parameters']['trialSessionId'];
        /**
         * @description The ticket.
         * @example 0197a3b0-5e1c-7000-8000-000000000010
         */
        readonly ticketId: components['parameters']['ticketId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Hand-ins, in the order in which they were begun. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['HandInPage'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'handIns.begin': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Sent again with the same key and body, the request gives the first answer again and does nothing more. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      readonly path: {
        /**
         * @description The trial session.
         * @example 0197a3b0-5e1c-7000-8000-000000000005
         */
        readonly trialSessionId: components['parameters']['trialSessionId'];
        /**
         * @description The ticket.
         * @example 0197a3b0-5e1c-7000-8000-000000000010
         */
        readonly ticketId: components['parameters']['ticketId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "name": "answer.md",
         *       "bytes": 5,
         *       "sha256": "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
         *     }
         */
        readonly 'application/json': components['schemas']['BeginHandIn'];
      };
    };
    readonly responses: {
      /** @description The hand-in: a new one, or the one of these very bytes. */
      readonly 201: {
        headers: {
          readonly Location: components['headers']['Location'];
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['HandIn'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      /**
       * @description `not_started`: The trial session has not been started.
       *
       *     `session_ended`: The trial session has ended.
       *
       *     `nothing_to_hand_in`: Nothing is handed in for this ticket.
       *
       *     `hand_ins_full`: The ticket has as many hand-ins as it may have.
       *
       *     `idempotency_key_reused`: The Idempotency-Key was used with another body.
       *
       *     `conflict`: Others changed the same record again and again meanwhile.
       */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /**
       * @description `session_full`: The trial session holds all the evidence that it may.
       *
       *     `too_large`: The body is larger than 256 KiB, or the headers than 16 KiB.
       */
      readonly 413: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'handIns.read': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The trial session.
         * @example 0197a3b0-5e1c-7000-8000-000000000005
         */
        readonly trialSessionId: components['parameters']['trialSessionId'];
        /**
         * @description The ticket.
         * @example 0197a3b0-5e1c-7000-8000-000000000010
         */
        readonly ticketId: components['parameters']['ticketId'];
        /**
         * @description The hand-in.
         * @example 0197a3b0-5e1c-7000-8000-000000000013
         */
        readonly handInId: components['parameters']['handInId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The hand-in. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['HandIn'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'handIns.addPiece': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The trial session.
         * @example 0197a3b0-5e1c-7000-8000-000000000005
         */
        readonly trialSessionId: components['parameters']['trialSessionId'];
        /**
         * @description The ticket.
         * @example 0197a3b0-5e1c-7000-8000-000000000010
         */
        readonly ticketId: components['parameters']['ticketId'];
        /**
         * @description The hand-in.
         * @example 0197a3b0-5e1c-7000-8000-000000000013
         */
        readonly handInId: components['parameters']['handInId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "offset": 0,
         *       "data": "aGVsbG8="
         *     }
         */
        readonly 'application/json': components['schemas']['AddPiece'];
      };
    };
    readonly responses: {
      /** @description How much has arrived. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Received'];
        };
      };
      /**
       * @description `work_refused`: The archive or file cannot be taken; the message says what is wrong with it, and where.
       *
       *     `validation_failed`: The request is wrong in itself; `details` names each offending field.
       *
       *     `malformed_json`: The body is not valid JSON, or nests more than 32 levels deep.
       */
      readonly 400: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      /**
       * @description `session_ended`: The trial session has ended.
       *
       *     `hand_ins_full`: The ticket has as many hand-ins as it may have.
       *
       *     `conflict`: Others changed the same record again and again meanwhile.
       */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'handIns.complete': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Sent again with the same key and body, the request gives the first answer again and does nothing more. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      readonly path: {
        /**
         * @description The trial session.
         * @example 0197a3b0-5e1c-7000-8000-000000000005
         */
        readonly trialSessionId: components['parameters']['trialSessionId'];
        /**
         * @description The ticket.
         * @example 0197a3b0-5e1c-7000-8000-000000000010
         */
        readonly ticketId: components['parameters']['ticketId'];
        /**
         * @description The hand-in.
         * @example 0197a3b0-5e1c-7000-8000-000000000013
         */
        readonly handInId: components['parameters']['handInId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The hand-in, handed in. */
      readonly 200: {
        headers: {
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['HandIn'];
        };
      };
      /**
       * @description `work_refused`: The archive or file cannot be taken; the message says what is wrong with it, and where.
       *
       *     `validation_failed`: The request is wrong in itself; `details` names each offending field.
       *
       *     `malformed_json`: The body is not valid JSON, or nests more than 32 levels deep.
       */
      readonly 400: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      /**
       * @description `not_started`: The trial session has not been started.
       *
       *     `session_ended`: The trial session has ended.
       *
       *     `hand_in_incomplete`: Not all of the content has arrived, or it is not the content that was announced.
       *
       *     `hand_ins_full`: The ticket has as many hand-ins as it may have.
       *
       *     `idempotency_key_reused`: The Idempotency-Key was used with another body.
       *
       *     `conflict`: Others changed the same record again and again meanwhile.
       */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'handIns.readContent': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The trial session.
         * @example 0197a3b0-5e1c-7000-8000-000000000005
         */
        readonly trialSessionId: components['parameters']['trialSessionId'];
        /**
         * @description The ticket.
         * @example 0197a3b0-5e1c-7000-8000-000000000010
         */
        readonly ticketId: components['parameters']['ticketId'];
        /**
         * @description The hand-in.
         * @example 0197a3b0-5e1c-7000-8000-000000000013
         */
        readonly handInId: components['parameters']['handInId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The file as it was sent. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/octet-stream': string;
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      /** @description `hand_in_incomplete`: Not all of the content has arrived, or it is not the content that was announced. */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'me.listEvaluations': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The evaluations. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['OwnEvaluations'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'me.readEvaluation': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The evaluation.
         * @example 0197a3b0-5e1c-7000-8000-000000000006
         */
        readonly evaluationId: components['parameters']['evaluationId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The evaluation as far as it is released. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['OwnEvaluation'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'me.contestEvaluation': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Sent again with the same key and body, the request gives the first answer again and does nothing more. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      readonly path: {
        /**
         * @description The evaluation.
         * @example 0197a3b0-5e1c-7000-8000-000000000006
         */
        readonly evaluationId: components['parameters']['evaluationId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "about": {
         *         "kind": "transcript",
         *         "reference": "turn 2"
         *       },
         *       "text": "I said “parser”, not “partner”."
         *     }
         */
        readonly 'application/json': components['schemas']['ContestEvaluation'];
      };
    };
    readonly responses: {
      /** @description The contest. */
      readonly 201: {
        headers: {
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['OwnContest'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      /**
       * @description `nothing_released`: Nothing of the evaluation is released to its candidate.
       *
       *     `too_many_contests`: The evaluation has as many contests as it may have.
       *
       *     `idempotency_key_reused`: The Idempotency-Key was used with another body.
       *
       *     `conflict`: Others changed the same record again and again meanwhile.
       */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'me.export': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The export, as a file. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Export'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'organisations.read': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description ETags that the caller has already, or `*`: the answer is 304 if one is current. */
        readonly 'If-None-Match'?: components['parameters']['If-None-Match'];
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The organisation and its settings. */
      readonly 200: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Organisation'];
        };
      };
      /** @description The caller has it already. */
      readonly 304: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'organisations.update': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description The ETag of the version that is to be changed; another one gives 412. `*` is any version. */
        readonly 'If-Match'?: components['parameters']['If-Match'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "name": "Example Ltd",
         *       "recordAudio": true,
         *       "retentionDays": 365,
         *       "candidateResults": "result",
         *       "timeZone": "Europe/Berlin",
         *       "senderName": "Hiring at Example"
         *     }
         */
        readonly 'application/json': components['schemas']['UpdateOrganisation'];
      };
    };
    readonly responses: {
      /** @description The organisation and its settings. */
      readonly 200: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Organisation'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 409: components['responses']['Conflict'];
      readonly 412: components['responses']['PreconditionFailed'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'organisations.setLogo': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description The ETag of the version that is to be changed; another one gives 412. `*` is any version. */
        readonly 'If-Match'?: components['parameters']['If-Match'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "data": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
         *     }
         */
        readonly 'application/json': components['schemas']['SetLogo'];
      };
    };
    readonly responses: {
      /** @description The organisation, with its logo. */
      readonly 200: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Organisation'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 409: components['responses']['Conflict'];
      readonly 412: components['responses']['PreconditionFailed'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'organisations.removeLogo': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description The ETag of the version that is to be changed; another one gives 412. `*` is any version. */
        readonly 'If-Match'?: components['parameters']['If-Match'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The organisation, without a logo. */
      readonly 200: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Organisation'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 409: components['responses']['Conflict'];
      readonly 412: components['responses']['PreconditionFailed'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'members.list': {
    readonly parameters: {
      readonly query?: {
        /** @description How many items at most. A page of large items may hold fewer. */
        readonly limit?: number;
        /** @description The `nextCursor` of the page before, which was asked for with the same other parameters. */
        readonly cursor?: string;
      };
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Members, oldest first. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['MemberPage'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'members.add': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Sent again with the same key and body, the request gives the first answer again and does nothing more. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "email": "grace@example.org",
         *       "role": "recruiter"
         *     }
         */
        readonly 'application/json': components['schemas']['AddMember'];
      };
    };
    readonly responses: {
      /** @description The member. */
      readonly 201: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly Location: components['headers']['Location'];
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Member'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      /**
       * @description `already_member`: The person is a member already.
       *
       *     `idempotency_key_reused`: The Idempotency-Key was used with another body.
       *
       *     `conflict`: Others changed the same record again and again meanwhile.
       */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'members.read': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description ETags that the caller has already, or `*`: the answer is 304 if one is current. */
        readonly 'If-None-Match'?: components['parameters']['If-None-Match'];
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The member, by its id. The subject works too and, until that is known, the URL-encoded e-mail address; but proxies may log paths.
         * @example 0197a3b0-5e1c-7000-8000-000000000012
         */
        readonly memberId: components['parameters']['memberId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The member. */
      readonly 200: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Member'];
        };
      };
      /** @description The caller has it already. */
      readonly 304: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'members.remove': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description The ETag of the version that is to be changed; another one gives 412. `*` is any version. */
        readonly 'If-Match'?: components['parameters']['If-Match'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The member, by its id. The subject works too and, until that is known, the URL-encoded e-mail address; but proxies may log paths.
         * @example 0197a3b0-5e1c-7000-8000-000000000012
         */
        readonly memberId: components['parameters']['memberId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The member is removed. */
      readonly 204: {
        headers: {
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      /**
       * @description `last_owner`: The last owner cannot be removed or demoted.
       *
       *     `conflict`: Others changed the same record again and again meanwhile.
       */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 412: components['responses']['PreconditionFailed'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'members.update': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description The ETag of the version that is to be changed; another one gives 412. `*` is any version. */
        readonly 'If-Match'?: components['parameters']['If-Match'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The member, by its id. The subject works too and, until that is known, the URL-encoded e-mail address; but proxies may log paths.
         * @example 0197a3b0-5e1c-7000-8000-000000000012
         */
        readonly memberId: components['parameters']['memberId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "role": "admin"
         *     }
         */
        readonly 'application/json': components['schemas']['UpdateMember'];
      };
    };
    readonly responses: {
      /** @description The member. */
      readonly 200: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Member'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      /**
       * @description `last_owner`: The last owner cannot be removed or demoted.
       *
       *     `conflict`: Others changed the same record again and again meanwhile.
       */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 412: components['responses']['PreconditionFailed'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'roles.clone': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Sent again with the same key and body, the request gives the first answer again and does nothing more. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The role.
         * @example 0197a3b0-5e1c-7000-8000-000000000002
         */
        readonly roleId: components['parameters']['roleId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: {
      readonly content: {
        /**
         * @example {
         *       "name": "Backend engineer, Zurich"
         *     }
         */
        readonly 'application/json': components['schemas']['CloneRole'];
      };
    };
    readonly responses: {
      /** @description The copy. */
      readonly 201: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly Location: components['headers']['Location'];
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Role'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      /**
       * @description `idempotency_key_reused`: The Idempotency-Key was used with another body.
       *
       *     `conflict`: Others changed the same record again and again meanwhile.
       */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'roles.templates': {
    readonly parameters: {
      readonly query?: {
        /** @description Of the texts; English unless given. */
        readonly language?: components['schemas']['Language'];
      };
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Every template. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['RoleTemplates'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'roles.createFromTemplate': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Sent again with the same key and body, the request gives the first answer again and does nothing more. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "template": "backend",
         *       "language": "en",
         *       "name": "Backend engineer, Zurich"
         *     }
         */
        readonly 'application/json': components['schemas']['CreateRoleFromTemplate'];
      };
    };
    readonly responses: {
      /** @description The role. */
      readonly 201: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly Location: components['headers']['Location'];
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Role'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      /**
       * @description `idempotency_key_reused`: The Idempotency-Key was used with another body.
       *
       *     `conflict`: Others changed the same record again and again meanwhile.
       */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'roles.list': {
    readonly parameters: {
      readonly query?: {
        /** @description Only archived roles, or only those that are not. */
        readonly archived?: boolean;
        /** @description The order, with `-` the reverse; `createdAt` by default. */
        readonly sort?: components['schemas']['RoleOrder'];
        /** @description How many items at most. A page of large items may hold fewer. */
        readonly limit?: number;
        /** @description The `nextCursor` of the page before, which was asked for with the same other parameters. */
        readonly cursor?: string;
      };
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Roles, oldest first by default. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['RolePage'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'roles.create': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Sent again with the same key and body, the request gives the first answer again and does nothing more. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "name": "Backend engineer",
         *       "overallThreshold": 60,
         *       "dimensions": [
         *         {
         *           "name": "Testing",
         *           "weight": 60,
         *           "category": "correctness",
         *           "threshold": 50
         *         },
         *         {
         *           "name": "Way of working",
         *           "weight": 40,
         *           "category": "process"
         *         }
         *       ],
         *       "ticketIds": [
         *         "TICKET-1"
         *       ],
         *       "questions": [
         *         {
         *           "text": "How did you find the fault?",
         *           "dimensionName": "Way of working"
         *         }
         *       ],
         *       "instructions": "Repair the failing build. Use **any** tool that you like.",
         *       "timeFrameMinutes": 90,
         *       "notice": {
         *         "version": "2026-01",
         *         "text": "Your answers are recorded and scored by fixed rules."
         *       },
         *       "reminderDays": [
         *         3,
         *         1
         *       ],
         *       "answerPauseMs": 2500,
         *       "aiPolicy": "allowed"
         *     }
         */
        readonly 'application/json': components['schemas']['CreateRole'];
      };
    };
    readonly responses: {
      /** @description The role. */
      readonly 201: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly Location: components['headers']['Location'];
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Role'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      /**
       * @description `idempotency_key_reused`: The Idempotency-Key was used with another body.
       *
       *     `conflict`: Others changed the same record again and again meanwhile.
       */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'roles.read': {
    readonly parameters: {
      readonly query?: {
        /** @description A former version in place of the latest. */
        readonly version?: number;
      };
      readonly header?: {
        /** @description ETags that the caller has already, or `*`: the answer is 304 if one is current. */
        readonly 'If-None-Match'?: components['parameters']['If-None-Match'];
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The role.
         * @example 0197a3b0-5e1c-7000-8000-000000000002
         */
        readonly roleId: components['parameters']['roleId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The role. */
      readonly 200: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Role'];
        };
      };
      /** @description The caller has it already. */
      readonly 304: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'roles.update': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description The ETag of the version that is to be changed; another one gives 412. `*` is any version. */
        readonly 'If-Match'?: components['parameters']['If-Match'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The role.
         * @example 0197a3b0-5e1c-7000-8000-000000000002
         */
        readonly roleId: components['parameters']['roleId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "name": "Backend engineer",
         *       "overallThreshold": 60,
         *       "dimensions": [
         *         {
         *           "name": "Testing",
         *           "weight": 60,
         *           "category": "correctness",
         *           "threshold": 50
         *         },
         *         {
         *           "name": "Way of working",
         *           "weight": 40,
         *           "category": "process"
         *         }
         *       ],
         *       "ticketIds": [
         *         "TICKET-1"
         *       ],
         *       "questions": [
         *         {
         *           "text": "How did you find the fault?",
         *           "dimensionName": "Way of working"
         *         }
         *       ],
         *       "instructions": "Repair the failing build. Use **any** tool that you like.",
         *       "timeFrameMinutes": 90,
         *       "notice": {
         *         "version": "2026-01",
         *         "text": "Your answers are recorded and scored by fixed rules."
         *       },
         *       "reminderDays": [
         *         3,
         *         1
         *       ],
         *       "answerPauseMs": 2500,
         *       "aiPolicy": "allowed"
         *     }
         */
        readonly 'application/json': components['schemas']['UpdateRole'];
      };
    };
    readonly responses: {
      /** @description The role. */
      readonly 200: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Role'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 409: components['responses']['Conflict'];
      readonly 412: components['responses']['PreconditionFailed'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'roles.measures': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description ETags that the caller has already, or `*`: the answer is 304 if one is current. */
        readonly 'If-None-Match'?: components['parameters']['If-None-Match'];
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The role.
         * @example 0197a3b0-5e1c-7000-8000-000000000002
         */
        readonly roleId: components['parameters']['roleId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description What the role can measure. */
      readonly 200: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['RoleMeasures'];
        };
      };
      /** @description The caller has it already. */
      readonly 304: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'roles.archive': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Sent again with the same key and body, the request gives the first answer again and does nothing more. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description The ETag of the version that is to be changed; another one gives 412. `*` is any version. */
        readonly 'If-Match'?: components['parameters']['If-Match'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The role.
         * @example 0197a3b0-5e1c-7000-8000-000000000002
         */
        readonly roleId: components['parameters']['roleId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The role. */
      readonly 200: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Role'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      /**
       * @description `idempotency_key_reused`: The Idempotency-Key was used with another body.
       *
       *     `conflict`: Others changed the same record again and again meanwhile.
       */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 412: components['responses']['PreconditionFailed'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'roles.unarchive': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description The ETag of the version that is to be changed; another one gives 412. `*` is any version. */
        readonly 'If-Match'?: components['parameters']['If-Match'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The role.
         * @example 0197a3b0-5e1c-7000-8000-000000000002
         */
        readonly roleId: components['parameters']['roleId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The role. */
      readonly 200: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Role'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 409: components['responses']['Conflict'];
      readonly 412: components['responses']['PreconditionFailed'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'roles.listVersions': {
    readonly parameters: {
      readonly query?: {
        /** @description How many items at most. A page of large items may hold fewer. */
        readonly limit?: number;
        /** @description The `nextCursor` of the page before, which was asked for with the same other parameters. */
        readonly cursor?: string;
      };
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The role.
         * @example 0197a3b0-5e1c-7000-8000-000000000002
         */
        readonly roleId: components['parameters']['roleId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Versions, newest first. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['RoleVersionPage'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'roles.compareVersions': {
    readonly parameters: {
      readonly query: {
        /**
         * @description The version that is compared.
         * @example 1
         */
        readonly from: number;
        /**
         * @description The version that it is compared with.
         * @example 1
         */
        readonly to: number;
      };
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The role.
         * @example 0197a3b0-5e1c-7000-8000-000000000002
         */
        readonly roleId: components['parameters']['roleId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description What differs between their definitions. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['RoleDifference'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'roles.readNotice': {
    readonly parameters: {
      readonly query?: {
        /** @description Of the invitation; English unless given. */
        readonly language?: components['schemas']['Language'];
      };
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The role.
         * @example 0197a3b0-5e1c-7000-8000-000000000002
         */
        readonly roleId: components['parameters']['roleId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The notice. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['NoticePreview'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'tickets.list': {
    readonly parameters: {
      readonly query?: {
        /** @description How many items at most. A page of large items may hold fewer. */
        readonly limit?: number;
        /** @description The `nextCursor` of the page before, which was asked for with the same other parameters. */
        readonly cursor?: string;
      };
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Tickets, oldest first. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ListedTicketPage'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'tickets.create': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Sent again with the same key and body, the request gives the first answer again and does nothing more. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "title": "The last line is dropped",
         *       "description": "Read a file with *no* newline at its end, and print every line.",
         *       "links": [
         *         {
         *           "title": "Repository",
         *           "url": "https://git.example.org/parser"
         *         }
         *       ],
         *       "estimatedMinutes": 45,
         *       "kind": "files"
         *     }
         */
        readonly 'application/json': components['schemas']['CreateTicket'];
      };
    };
    readonly responses: {
      /** @description The ticket. */
      readonly 201: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly Location: components['headers']['Location'];
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Ticket'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      /**
       * @description `idempotency_key_reused`: The Idempotency-Key was used with another body.
       *
       *     `conflict`: Others changed the same record again and again meanwhile.
       */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'tickets.read': {
    readonly parameters: {
      readonly query?: {
        /** @description A former version in place of the latest. */
        readonly version?: number;
      };
      readonly header?: {
        /** @description ETags that the caller has already, or `*`: the answer is 304 if one is current. */
        readonly 'If-None-Match'?: components['parameters']['If-None-Match'];
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The ticket.
         * @example 0197a3b0-5e1c-7000-8000-000000000010
         */
        readonly ticketId: components['parameters']['ticketId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The ticket. */
      readonly 200: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Ticket'];
        };
      };
      /** @description The caller has it already. */
      readonly 304: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'tickets.update': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description The ETag of the version that is to be changed; another one gives 412. `*` is any version. */
        readonly 'If-Match'?: components['parameters']['If-Match'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The ticket.
         * @example 0197a3b0-5e1c-7000-8000-000000000010
         */
        readonly ticketId: components['parameters']['ticketId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "title": "The last line is lost",
         *       "estimatedMinutes": 60
         *     }
         */
        readonly 'application/json': components['schemas']['UpdateTicket'];
      };
    };
    readonly responses: {
      /** @description The ticket. */
      readonly 200: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Ticket'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 409: components['responses']['Conflict'];
      readonly 412: components['responses']['PreconditionFailed'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'fileSets.begin': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Sent again with the same key and body, the request gives the first answer again and does nothing more. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The ticket.
         * @example 0197a3b0-5e1c-7000-8000-000000000010
         */
        readonly ticketId: components['parameters']['ticketId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "name": "README.md",
         *       "bytes": 5,
         *       "sha256": "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
         *     }
         */
        readonly 'application/json': components['schemas']['BeginFileSet'];
      };
    };
    readonly responses: {
      /** @description The file set. */
      readonly 201: {
        headers: {
          readonly Location: components['headers']['Location'];
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['FileSetUpload'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      /**
       * @description `idempotency_key_reused`: The Idempotency-Key was used with another body.
       *
       *     `conflict`: Others changed the same record again and again meanwhile.
       */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'fileSets.read': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The ticket.
         * @example 0197a3b0-5e1c-7000-8000-000000000010
         */
        readonly ticketId: components['parameters']['ticketId'];
        /**
         * @description The file set.
         * @example 0197a3b0-5e1c-7000-8000-000000000014
         */
        readonly fileSetId: components['parameters']['fileSetId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The file set. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['FileSetUpload'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'fileSets.addPiece': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The ticket.
         * @example 0197a3b0-5e1c-7000-8000-000000000010
         */
        readonly ticketId: components['parameters']['ticketId'];
        /**
         * @description The file set.
         * @example 0197a3b0-5e1c-7000-8000-000000000014
         */
        readonly fileSetId: components['parameters']['fileSetId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "offset": 0,
         *       "data": "aGVsbG8="
         *     }
         */
        readonly 'application/json': components['schemas']['AddPiece'];
      };
    };
    readonly responses: {
      /** @description The file set, with how much has arrived. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['FileSetUpload'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 409: components['responses']['Conflict'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'fileSets.complete': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Sent again with the same key and body, the request gives the first answer again and does nothing more. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The ticket.
         * @example 0197a3b0-5e1c-7000-8000-000000000010
         */
        readonly ticketId: components['parameters']['ticketId'];
        /**
         * @description The file set.
         * @example 0197a3b0-5e1c-7000-8000-000000000014
         */
        readonly fileSetId: components['parameters']['fileSetId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The file set, complete. */
      readonly 200: {
        headers: {
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['FileSetUpload'];
        };
      };
      /**
       * @description `work_refused`: The archive or file cannot be taken; the message says what is wrong with it, and where.
       *
       *     `validation_failed`: The request is wrong in itself; `details` names each offending field.
       *
       *     `malformed_json`: The body is not valid JSON, or nests more than 32 levels deep.
       */
      readonly 400: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      /**
       * @description `hand_in_incomplete`: Not all of the content has arrived, or it is not the content that was announced.
       *
       *     `idempotency_key_reused`: The Idempotency-Key was used with another body.
       *
       *     `conflict`: Others changed the same record again and again meanwhile.
       */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'fileSets.readContent': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The ticket.
         * @example 0197a3b0-5e1c-7000-8000-000000000010
         */
        readonly ticketId: components['parameters']['ticketId'];
        /**
         * @description The file set.
         * @example 0197a3b0-5e1c-7000-8000-000000000014
         */
        readonly fileSetId: components['parameters']['fileSetId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description What has arrived of the archive or file, as it was sent. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/octet-stream': string;
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'applications.invite': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Sent again with the same key and body, the request gives the first answer again and does nothing more. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The role.
         * @example 0197a3b0-5e1c-7000-8000-000000000002
         */
        readonly roleId: components['parameters']['roleId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "candidateEmail": "ada@example.org",
         *       "expiresAt": "2099-01-31T18:00:00.000Z",
         *       "candidateName": "Ada Lovelace",
         *       "externalId": "ats-1815",
         *       "language": "en"
         *     }
         */
        readonly 'application/json': components['schemas']['InviteCandidate'];
      };
    };
    readonly responses: {
      /** @description The application. */
      readonly 201: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly Location: components['headers']['Location'];
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Application'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      /**
       * @description `role_archived`: The role is archived: nobody can be invited to it.
       *
       *     `role_draft`: The role is a draft: its definition is not complete.
       *
       *     `already_invited`: The address has an open application for this role.
       *
       *     `idempotency_key_reused`: The Idempotency-Key was used with another body.
       *
       *     `conflict`: Others changed the same record again and again meanwhile.
       */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'applications.inviteMany': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Sent again with the same key and body, the request gives the first answer again and does nothing more. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The role.
         * @example 0197a3b0-5e1c-7000-8000-000000000002
         */
        readonly roleId: components['parameters']['roleId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "invitations": [
         *         {
         *           "candidateEmail": "grace.h@example.org",
         *           "candidateName": "Grace Hopper"
         *         },
         *         {
         *           "candidateEmail": "alan@example.org",
         *           "expiresAt": "2099-01-31T18:00:00.000Z",
         *           "language": "de"
         *         }
         *       ]
         *     }
         */
        readonly 'application/json': components['schemas']['InviteCandidates'];
      };
    };
    readonly responses: {
      /** @description The answers, in order. */
      readonly 200: {
        headers: {
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['InvitationAnswers'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      /**
       * @description `idempotency_key_reused`: The Idempotency-Key was used with another body.
       *
       *     `conflict`: Others changed the same record again and again meanwhile.
       */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'applications.list': {
    readonly parameters: {
      readonly query?: {
        /** @description Only those for this role. */
        readonly roleId?: string;
        /** @description Only those of this candidate: all applications of one person in the organisation. */
        readonly candidateId?: string;
        /** @description Only those of this status. */
        readonly status?: components['schemas']['ApplicationStatus'];
        /** @description Only completed ones whose outcome is known so far. An erased application is of no outcome here. */
        readonly outcome?: components['schemas']['OutcomeStatus'];
        /** @description Only those that wait for staff, the first to be done at the top: `outcome`: completed, and no outcome is recorded. `expiring`: open, with at most 3 days left. `accommodation`: open, and an accommodation was asked for that nothing was granted for since. `erasure`: the candidate asked to be erased. Beside it `roleId` alone narrows the list. */
        readonly waiting?: components['schemas']['WaitingApplication'];
        /** @description Only those invited at this time or later. */
        readonly from?: string;
        /** @description Only those invited before this time. */
        readonly to?: string;
        /** @description The order, with `-` the reverse; `invitedAt` by default. With `candidateId`, an address in `Search-Text`, `from` or `to` it is always that, with a role’s name in `Search-Text` always `roleName`. */
        readonly sort?: components['schemas']['ApplicationOrder'];
        /** @description How many items at most. A page of large items may hold fewer. */
        readonly limit?: number;
        /** @description The `nextCursor` of the page before, which was asked for with the same other parameters. */
        readonly cursor?: string;
      };
      readonly header?: {
        /** @description Only those of the candidate with this whole e-mail address; a text that is no address finds those whose role’s name begins with it. Case does not matter. Addresses are stored encrypted, so no part of one can be searched for. In percent-encoded UTF-8, as `encodeURIComponent` writes it, of at most 320 characters. It is a header because URLs are logged. */
        readonly 'Search-Text'?: components['parameters']['Search-Text'];
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Applications with their trial sessions and outcomes, oldest first by default. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ApplicationPage'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'applications.read': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description ETags that the caller has already, or `*`: the answer is 304 if one is current. */
        readonly 'If-None-Match'?: components['parameters']['If-None-Match'];
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The application.
         * @example 0197a3b0-5e1c-7000-8000-000000000004
         */
        readonly applicationId: components['parameters']['applicationId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The application. */
      readonly 200: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Application'];
        };
      };
      /** @description The caller has it already. */
      readonly 304: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'applications.extend': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description The ETag of the version that is to be changed; another one gives 412. `*` is any version. */
        readonly 'If-Match'?: components['parameters']['If-Match'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The application.
         * @example 0197a3b0-5e1c-7000-8000-000000000004
         */
        readonly applicationId: components['parameters']['applicationId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "expiresAt": "2099-01-31T18:00:00.000Z"
         *     }
         */
        readonly 'application/json': components['schemas']['ExtendApplication'];
      };
    };
    readonly responses: {
      /** @description The application. */
      readonly 200: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Application'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      /**
       * @description `application_closed`: The application has ended.
       *
       *     `conflict`: Others changed the same record again and again meanwhile.
       */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 410: components['responses']['Gone'];
      readonly 412: components['responses']['PreconditionFailed'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'applications.cancel': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Sent again with the same key and body, the request gives the first answer again and does nothing more. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description The ETag of the version that is to be changed; another one gives 412. `*` is any version. */
        readonly 'If-Match'?: components['parameters']['If-Match'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The application.
         * @example 0197a3b0-5e1c-7000-8000-000000000004
         */
        readonly applicationId: components['parameters']['applicationId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The application, withdrawn. */
      readonly 200: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Application'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      /**
       * @description `application_closed`: The application has ended.
       *
       *     `idempotency_key_reused`: The Idempotency-Key was used with another body.
       *
       *     `conflict`: Others changed the same record again and again meanwhile.
       */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 410: components['responses']['Gone'];
      readonly 412: components['responses']['PreconditionFailed'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'applications.erase': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Sent again with the same key and body, the request gives the first answer again and does nothing more. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The application.
         * @example 0197a3b0-5e1c-7000-8000-000000000004
         */
        readonly applicationId: components['parameters']['applicationId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The candidate is erased. */
      readonly 202: {
        headers: {
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ErasureReceipt'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      /**
       * @description `idempotency_key_reused`: The Idempotency-Key was used with another body.
       *
       *     `conflict`: Others changed the same record again and again meanwhile.
       */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'applications.liftSignInLock': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The application.
         * @example 0197a3b0-5e1c-7000-8000-000000000004
         */
        readonly applicationId: components['parameters']['applicationId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Codes can be asked for with the candidate’s address. */
      readonly 204: {
        headers: {
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 409: components['responses']['Conflict'];
      readonly 410: components['responses']['Gone'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'applications.count': {
    readonly parameters: {
      readonly query?: {
        /** @description Only those for this role. */
        readonly roleId?: string;
      };
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The counts. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ApplicationCounts'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'applications.mails': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The application.
         * @example 0197a3b0-5e1c-7000-8000-000000000004
         */
        readonly applicationId: components['parameters']['applicationId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The mails. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ApplicationMails'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'applications.resendMail': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Sent again with the same key and body, the request gives the first answer again and does nothing more. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The application.
         * @example 0197a3b0-5e1c-7000-8000-000000000004
         */
        readonly applicationId: components['parameters']['applicationId'];
        /**
         * @description The mail, by its `id` in the list of the application’s mails.
         * @example invitation.0197a3b0-5e1c-7000-8000-000000000012
         */
        readonly mailId: components['parameters']['mailId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The mail, pending again. */
      readonly 202: {
        headers: {
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Mail'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      /**
       * @description `mail_pending`: The mail is still to be sent.
       *
       *     `mail_resend_limited`: A mail that was sent is sent again at the earliest 10 minutes later, a reminder that staff asked for 60 minutes later, and 5 times at most.
       *
       *     `mail_pointless`: What the mail is about is over: its session has ended, or, of a reminder, its interview has begun or it has another expiry by now.
       *
       *     `idempotency_key_reused`: The Idempotency-Key was used with another body.
       *
       *     `conflict`: Others changed the same record again and again meanwhile.
       */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 410: components['responses']['Gone'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'applications.remind': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Sent again with the same key and body, the request gives the first answer again and does nothing more. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The application.
         * @example 0197a3b0-5e1c-7000-8000-000000000004
         */
        readonly applicationId: components['parameters']['applicationId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The reminder, pending. */
      readonly 202: {
        headers: {
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Mail'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      /**
       * @description `mail_pending`: The mail is still to be sent.
       *
       *     `mail_resend_limited`: A mail that was sent is sent again at the earliest 10 minutes later, a reminder that staff asked for 60 minutes later, and 5 times at most.
       *
       *     `mail_pointless`: What the mail is about is over: its session has ended, or, of a reminder, its interview has begun or it has another expiry by now.
       *
       *     `idempotency_key_reused`: The Idempotency-Key was used with another body.
       *
       *     `conflict`: Others changed the same record again and again meanwhile.
       */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 410: components['responses']['Gone'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'applications.timeline': {
    readonly parameters: {
      readonly query?: {
        /** @description How many items at most. A page of large items may hold fewer. */
        readonly limit?: number;
        /** @description The `nextCursor` of the page before, which was asked for with the same other parameters. */
        readonly cursor?: string;
      };
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The application.
         * @example 0197a3b0-5e1c-7000-8000-000000000004
         */
        readonly applicationId: components['parameters']['applicationId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Entries, newest first. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TimelineEntryPage'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'applications.setAccommodations': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description The ETag of the version that is to be changed; another one gives 412. `*` is any version. */
        readonly 'If-Match'?: components['parameters']['If-Match'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The application.
         * @example 0197a3b0-5e1c-7000-8000-000000000004
         */
        readonly applicationId: components['parameters']['applicationId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "timeFactor": 1.5,
         *       "typedOnly": false,
         *       "captions": true
         *     }
         */
        readonly 'application/json': components['schemas']['SetAccommodations'];
      };
    };
    readonly responses: {
      /** @description The application. */
      readonly 200: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Application'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      /**
       * @description `application_closed`: The application has ended.
       *
       *     `conflict`: Others changed the same record again and again meanwhile.
       */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 410: components['responses']['Gone'];
      readonly 412: components['responses']['PreconditionFailed'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'imports.begin': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Sent again with the same key and body, the request gives the first answer again and does nothing more. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The role.
         * @example 0197a3b0-5e1c-7000-8000-000000000002
         */
        readonly roleId: components['parameters']['roleId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "csv": "candidateEmail,candidateName,language\r\nkatherine@example.org,Katherine Johnson,en\r\nemmy@example.org,Emmy Noether,de\r\n"
         *     }
         */
        readonly 'application/json': components['schemas']['ImportCandidates'];
      };
    };
    readonly responses: {
      /** @description The import. */
      readonly 202: {
        headers: {
          readonly Location: components['headers']['Location'];
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['CandidateImport'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      /**
       * @description `role_archived`: The role is archived: nobody can be invited to it.
       *
       *     `role_draft`: The role is a draft: its definition is not complete.
       *
       *     `idempotency_key_reused`: The Idempotency-Key was used with another body.
       *
       *     `conflict`: Others changed the same record again and again meanwhile.
       */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'imports.check': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "csv": "candidateEmail,candidateName\r\nkatherine@example.org,Katherine Johnson\r\n"
         *     }
         */
        readonly 'application/json': components['schemas']['ImportCandidates'];
      };
    };
    readonly responses: {
      /** @description The rows. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ImportCheck'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 409: components['responses']['Conflict'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'imports.list': {
    readonly parameters: {
      readonly query?: {
        /** @description How many items at most. A page of large items may hold fewer. */
        readonly limit?: number;
        /** @description The `nextCursor` of the page before, which was asked for with the same other parameters. */
        readonly cursor?: string;
      };
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Imports, newest first. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['CandidateImportPage'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'imports.read': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The import.
         * @example 0197a3b0-5e1c-7000-8000-000000000016
         */
        readonly importId: components['parameters']['importId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The import. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['CandidateImport'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'imports.template': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The template. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'text/csv': string;
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'handIns.listForStaff': {
    readonly parameters: {
      readonly query?: {
        /** @description How many items at most. A page of large items may hold fewer. */
        readonly limit?: number;
        /** @description The `nextCursor` of the page before, which was asked for with the same other parameters. */
        readonly cursor?: string;
      };
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The trial session.
         * @example 0197a3b0-5e1c-7000-8000-000000000005
         */
        readonly trialSessionId: components['parameters']['trialSessionId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Hand-ins, in the order in which they were begun. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['StaffHandInPage'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 410: components['responses']['Gone'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'handIns.readForStaff': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The trial session.
         * @example 0197a3b0-5e1c-7000-8000-000000000005
         */
        readonly trialSessionId: components['parameters']['trialSessionId'];
        /**
         * @description The hand-in.
         * @example 0197a3b0-5e1c-7000-8000-000000000013
         */
        readonly handInId: components['parameters']['handInId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The hand-in. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['StaffHandInWithFiles'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 410: components['responses']['Gone'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'handIns.readChecks': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The trial session.
         * @example 0197a3b0-5e1c-7000-8000-000000000005
         */
        readonly trialSessionId: components['parameters']['trialSessionId'];
        /**
         * @description The hand-in.
         * @example 0197a3b0-5e1c-7000-8000-000000000013
         */
        readonly handInId: components['parameters']['handInId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description What the checks said. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['StaffHandInChecks'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 410: components['responses']['Gone'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'handIns.readFile': {
    readonly parameters: {
      readonly query: {
        /**
         * @description The file’s path.
         * @example answer.md
         */
        readonly path: string;
      };
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The trial session.
         * @example 0197a3b0-5e1c-7000-8000-000000000005
         */
        readonly trialSessionId: components['parameters']['trialSessionId'];
        /**
         * @description The hand-in.
         * @example 0197a3b0-5e1c-7000-8000-000000000013
         */
        readonly handInId: components['parameters']['handInId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The file’s content. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/octet-stream': string;
        };
      };
      /**
       * @description `work_refused`: The archive or file cannot be taken; the message says what is wrong with it, and where.
       *
       *     `validation_failed`: The request is wrong in itself; `details` names each offending field.
       *
       *     `malformed_json`: The body is not valid JSON, or nests more than 32 levels deep.
       */
      readonly 400: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      /** @description `hand_in_incomplete`: Not all of the content has arrived, or it is not the content that was announced. */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 410: components['responses']['Gone'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'handIns.compare': {
    readonly parameters: {
      readonly query?: {
        /** @description An earlier hand-in of the same session to compare with, in place of the starter. */
        readonly from?: string;
        /** @description Compares the one file of this path. */
        readonly path?: string;
      };
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The trial session.
         * @example 0197a3b0-5e1c-7000-8000-000000000005
         */
        readonly trialSessionId: components['parameters']['trialSessionId'];
        /**
         * @description The hand-in.
         * @example 0197a3b0-5e1c-7000-8000-000000000013
         */
        readonly handInId: components['parameters']['handInId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description How it differs. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['WorkDifference'];
        };
      };
      /**
       * @description `work_refused`: The archive or file cannot be taken; the message says what is wrong with it, and where.
       *
       *     `validation_failed`: The request is wrong in itself; `details` names each offending field.
       *
       *     `malformed_json`: The body is not valid JSON, or nests more than 32 levels deep.
       */
      readonly 400: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      /** @description `hand_in_incomplete`: Not all of the content has arrived, or it is not the content that was announced. */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 410: components['responses']['Gone'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'outcomes.record': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description The ETag of the version that is to be changed; another one gives 412. `*` is any version. */
        readonly 'If-Match'?: components['parameters']['If-Match'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The trial session.
         * @example 0197a3b0-5e1c-7000-8000-000000000005
         */
        readonly trialSessionId: components['parameters']['trialSessionId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "humanRound": "passed",
         *       "disposition": "hired",
         *       "reason": "Tests before code, and clear answers."
         *     }
         */
        readonly 'application/json': components['schemas']['RecordOutcome'];
      };
    };
    readonly responses: {
      /** @description The outcome. */
      readonly 200: {
        headers: {
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Outcome'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      /**
       * @description `trial_not_completed`: The trial has not been completed.
       *
       *     `conflict`: Others changed the same record again and again meanwhile.
       */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 410: components['responses']['Gone'];
      readonly 412: components['responses']['PreconditionFailed'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'outcomes.retract': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description The ETag of the version that is to be changed; another one gives 412. `*` is any version. */
        readonly 'If-Match'?: components['parameters']['If-Match'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The trial session.
         * @example 0197a3b0-5e1c-7000-8000-000000000005
         */
        readonly trialSessionId: components['parameters']['trialSessionId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description There is no outcome. */
      readonly 204: {
        headers: {
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      /**
       * @description `trial_not_completed`: The trial has not been completed.
       *
       *     `conflict`: Others changed the same record again and again meanwhile.
       */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 410: components['responses']['Gone'];
      readonly 412: components['responses']['PreconditionFailed'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'evaluations.list': {
    readonly parameters: {
      readonly query?: {
        /** @description Only those of this role. */
        readonly roleId?: string;
        /** @description Only those of this status. */
        readonly status?: components['schemas']['EvaluationStatus'];
        /** @description Only those with a result that passed, or that did not. */
        readonly passed?: boolean;
        /** @description Only those of this overall score or more. */
        readonly minScore?: number;
        /** @description Only those of this overall score or less. */
        readonly maxScore?: number;
        /** @description Only those that wait for staff, the first to be done at the top: `failed`: there is no result, and another generation may have one. `contested`: the candidate contests something and has no answer. `overdue`: it has been generated for more than 15 minutes. Beside it `roleId` alone narrows the list. */
        readonly waiting?: components['schemas']['WaitingEvaluation'];
        /** @description Only those whose trial session was completed at this time or later. */
        readonly from?: string;
        /** @description Only those whose trial session was completed before this time. */
        readonly to?: string;
        /** @description The order, with `-` the reverse; by default `completedAt`, when the trial session was completed. By `overallScore`, those without one come below all others. With `from` or `to` it is always `completedAt`, with `minScore` or `maxScore` always `overallScore`. */
        readonly sort?: components['schemas']['EvaluationOrder'];
        /** @description With a score for each dimension. What is shown so is recorded as a read of the evaluation, once for each reader and generation. */
        readonly scores?: components['schemas']['ShownScores'];
        /** @description How many items at most. A page of large items may hold fewer. */
        readonly limit?: number;
        /** @description The `nextCursor` of the page before, which was asked for with the same other parameters. */
        readonly cursor?: string;
      };
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Summaries, oldest first by default. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['EvaluationSummaryPage'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'evaluations.read': {
    readonly parameters: {
      readonly query?: {
        /** @description A former generation in place of the latest. */
        readonly generation?: number;
      };
      readonly header?: {
        /** @description ETags that the caller has already, or `*`: the answer is 304 if one is current. */
        readonly 'If-None-Match'?: components['parameters']['If-None-Match'];
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The evaluation.
         * @example 0197a3b0-5e1c-7000-8000-000000000006
         */
        readonly id: components['parameters']['id'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The evaluation. */
      readonly 200: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Evaluation'];
        };
      };
      /** @description The caller has it already. */
      readonly 304: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 410: components['responses']['Gone'];
      /**
       * @description `validation_failed`: The request is wrong in itself; `details` names each offending field.
       *
       *     `malformed_json`: The body is not valid JSON, or nests more than 32 levels deep.
       *
       *     `too_large`: The body is larger than 256 KiB, or the headers than 16 KiB.
       *
       *     `internal`: A fault of the service, recorded under `requestId`.
       *
       *     `unavailable`: The service cannot reach its data, or a read has not caught up; `Retry-After` has the seconds to wait.
       *
       *     `view_parked`: The record cannot be read until an operator has repaired it.
       *
       *     `rate_limited`: Too many requests in a minute, or mails of an organisation in a day; `Retry-After` has the seconds to wait.
       */
      readonly default: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly 'evaluations.regenerate': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Sent again with the same key and body, the request gives the first answer again and does nothing more. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description The ETag of the version that is to be changed; another one gives 412. `*` is any version. */
        readonly 'If-Match'?: components['parameters']['If-Match'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The evaluation.
         * @example 0197a3b0-5e1c-7000-8000-000000000006
         */
        readonly evaluationId: components['parameters']['evaluationId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The requested generation. */
      readonly 202: {
        headers: {
          readonly Location: components['headers']['Location'];
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['RequestedGeneration'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      /**
       * @description `evaluation_generating`: The evaluation is being generated.
       *
       *     `idempotency_key_reused`: The Idempotency-Key was used with another body.
       *
       *     `conflict`: Others changed the same record again and again meanwhile.
       */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 410: components['responses']['Gone'];
      readonly 412: components['responses']['PreconditionFailed'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'evaluations.explain': {
    readonly parameters: {
      readonly query?: {
        /** @description A former generation in place of the latest. */
        readonly generation?: number;
      };
      readonly header?: {
        /** @description ETags that the caller has already, or `*`: the answer is 304 if one is current. */
        readonly 'If-None-Match'?: components['parameters']['If-None-Match'];
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The evaluation.
         * @example 0197a3b0-5e1c-7000-8000-000000000006
         */
        readonly evaluationId: components['parameters']['evaluationId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The explanation. */
      readonly 200: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Explanation'];
        };
      };
      /** @description The caller has it already. */
      readonly 304: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      /**
       * @description `evaluation_generating`: The evaluation is being generated.
       *
       *     `evaluation_not_ready`: The evaluation is not ready.
       */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 410: components['responses']['Gone'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'evaluations.readPast': {
    readonly parameters: {
      readonly query: {
        /**
         * @description An RFC 3339 time, or a `Consistency-Token` as a command answered it. A time in the future means now.
         * @example 2099-01-31T18:00:00.000Z
         */
        readonly at: string;
        /** @description A generation before the latest of then, in its place. */
        readonly generation?: number;
      };
      readonly header?: {
        /** @description ETags that the caller has already, or `*`: the answer is 304 if one is current. */
        readonly 'If-None-Match'?: components['parameters']['If-None-Match'];
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The evaluation.
         * @example 0197a3b0-5e1c-7000-8000-000000000006
         */
        readonly evaluationId: components['parameters']['evaluationId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The evaluation of then. */
      readonly 200: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Evaluation'];
        };
      };
      /** @description The caller has it already. */
      readonly 304: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 410: components['responses']['Gone'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 422: components['responses']['UnprocessableContent'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'evaluations.count': {
    readonly parameters: {
      readonly query?: {
        /** @description Only those of this role. */
        readonly roleId?: string;
      };
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The counts. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['EvaluationCounts'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'evaluations.listReads': {
    readonly parameters: {
      readonly query?: {
        /** @description How many items at most. A page of large items may hold fewer. */
        readonly limit?: number;
        /** @description The `nextCursor` of the page before, which was asked for with the same other parameters. */
        readonly cursor?: string;
      };
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The evaluation.
         * @example 0197a3b0-5e1c-7000-8000-000000000006
         */
        readonly evaluationId: components['parameters']['evaluationId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Reads, newest first. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['EvaluationReadPage'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 410: components['responses']['Gone'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'evaluations.listContests': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The evaluation.
         * @example 0197a3b0-5e1c-7000-8000-000000000006
         */
        readonly evaluationId: components['parameters']['evaluationId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The contests. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Contests'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 410: components['responses']['Gone'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'evaluations.answerContest': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Sent again with the same key and body, the request gives the first answer again and does nothing more. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The evaluation.
         * @example 0197a3b0-5e1c-7000-8000-000000000006
         */
        readonly evaluationId: components['parameters']['evaluationId'];
        /**
         * @description The contest.
         * @example 0197a3b0-5e1c-7000-8000-000000000011
         */
        readonly contestId: components['parameters']['contestId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "text": "You are right: we do not count this answer."
         *     }
         */
        readonly 'application/json': components['schemas']['AnswerContest'];
      };
    };
    readonly responses: {
      /** @description The contest with its answer. */
      readonly 200: {
        headers: {
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Contest'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      /**
       * @description `already_answered`: The contest is answered already.
       *
       *     `idempotency_key_reused`: The Idempotency-Key was used with another body.
       *
       *     `conflict`: Others changed the same record again and again meanwhile.
       */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 410: components['responses']['Gone'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'evidenceKeys.list': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The public keys. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['EvidenceKeys'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      /** @description `unavailable`: The service cannot reach its data, or a read has not caught up; `Retry-After` has the seconds to wait. */
      readonly 503: {
        headers: {
          readonly 'Retry-After': components['headers']['Retry-After'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly 'signal.read': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description ETags that the caller has already, or `*`: the answer is 304 if one is current. */
        readonly 'If-None-Match'?: components['parameters']['If-None-Match'];
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The signal summary. */
      readonly 200: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['SignalSummary'];
        };
      };
      /** @description The caller has it already. */
      readonly 304: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      /**
       * @description `validation_failed`: The request is wrong in itself; `details` names each offending field.
       *
       *     `malformed_json`: The body is not valid JSON, or nests more than 32 levels deep.
       *
       *     `too_large`: The body is larger than 256 KiB, or the headers than 16 KiB.
       *
       *     `internal`: A fault of the service, recorded under `requestId`.
       *
       *     `unavailable`: The service cannot reach its data, or a read has not caught up; `Retry-After` has the seconds to wait.
       *
       *     `view_parked`: The record cannot be read until an operator has repaired it.
       *
       *     `rate_limited`: Too many requests in a minute, or mails of an organisation in a day; `Retry-After` has the seconds to wait.
       */
      readonly default: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly 'signal.readPast': {
    readonly parameters: {
      readonly query: {
        /**
         * @description An RFC 3339 time, or a `Consistency-Token` as a command answered it. A time in the future means now.
         * @example 2099-01-31T18:00:00.000Z
         */
        readonly at: string;
      };
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The signal summary of then. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['SignalSummary'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 422: components['responses']['UnprocessableContent'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'signal.readStages': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The times. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['SignalStages'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'savedViews.list': {
    readonly parameters: {
      readonly query?: {
        /** @description Only those of this list. */
        readonly list?: components['schemas']['SavedViewList'];
        /** @description How many items at most. A page of large items may hold fewer. */
        readonly limit?: number;
        /** @description The `nextCursor` of the page before, which was asked for with the same other parameters. */
        readonly cursor?: string;
      };
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The caller’s own views and the shared ones, oldest first. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['SavedViewPage'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'savedViews.create': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Sent again with the same key and body, the request gives the first answer again and does nothing more. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "list": "applications",
         *       "name": "Waiting for an outcome",
         *       "filter": {
         *         "roleId": "0197a3b0-5e1c-7000-8000-000000000002",
         *         "waiting": "outcome"
         *       },
         *       "shared": true
         *     }
         */
        readonly 'application/json': components['schemas']['CreateSavedView'];
      };
    };
    readonly responses: {
      /** @description The saved view. */
      readonly 201: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly Location: components['headers']['Location'];
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['SavedView'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      /**
       * @description `idempotency_key_reused`: The Idempotency-Key was used with another body.
       *
       *     `conflict`: Others changed the same record again and again meanwhile.
       */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'savedViews.read': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description ETags that the caller has already, or `*`: the answer is 304 if one is current. */
        readonly 'If-None-Match'?: components['parameters']['If-None-Match'];
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The saved view.
         * @example 0197a3b0-5e1c-7000-8000-000000000017
         */
        readonly savedViewId: components['parameters']['savedViewId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The saved view. */
      readonly 200: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['SavedView'];
        };
      };
      /** @description The caller has it already. */
      readonly 304: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'savedViews.remove': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description The ETag of the version that is to be changed; another one gives 412. `*` is any version. */
        readonly 'If-Match'?: components['parameters']['If-Match'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The saved view.
         * @example 0197a3b0-5e1c-7000-8000-000000000017
         */
        readonly savedViewId: components['parameters']['savedViewId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description It is removed. */
      readonly 204: {
        headers: {
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 409: components['responses']['Conflict'];
      readonly 412: components['responses']['PreconditionFailed'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'savedViews.change': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description The ETag of the version that is to be changed; another one gives 412. `*` is any version. */
        readonly 'If-Match'?: components['parameters']['If-Match'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The saved view.
         * @example 0197a3b0-5e1c-7000-8000-000000000017
         */
        readonly savedViewId: components['parameters']['savedViewId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "name": "Waiting for my outcome"
         *     }
         */
        readonly 'application/json': components['schemas']['ChangeSavedView'];
      };
    };
    readonly responses: {
      /** @description The saved view. */
      readonly 200: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['SavedView'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 409: components['responses']['Conflict'];
      readonly 410: components['responses']['Gone'];
      readonly 412: components['responses']['PreconditionFailed'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'exports.applications': {
    readonly parameters: {
      readonly query?: {
        /** @description Only those for this role. */
        readonly roleId?: string;
        /** @description Only those of this candidate: all applications of one person in the organisation. */
        readonly candidateId?: string;
        /** @description Only those of this status. */
        readonly status?: components['schemas']['ApplicationStatus'];
        /** @description Only completed ones whose outcome is known so far. An erased application is of no outcome here. */
        readonly outcome?: components['schemas']['OutcomeStatus'];
        /** @description Only those that wait for staff, the first to be done at the top: `outcome`: completed, and no outcome is recorded. `expiring`: open, with at most 3 days left. `accommodation`: open, and an accommodation was asked for that nothing was granted for since. `erasure`: the candidate asked to be erased. Beside it `roleId` alone narrows the list. */
        readonly waiting?: components['schemas']['WaitingApplication'];
        /** @description Only those invited at this time or later. */
        readonly from?: string;
        /** @description Only those invited before this time. */
        readonly to?: string;
        /** @description The order, with `-` the reverse; `invitedAt` by default. With `candidateId`, an address in `Search-Text`, `from` or `to` it is always that, with a role’s name in `Search-Text` always `roleName`. */
        readonly sort?: components['schemas']['ApplicationOrder'];
        /** @description Only the applications of these ids, in this order. An id that the organisation has no application of is left out. Nothing else narrows or orders the list beside it. */
        readonly applicationId?: readonly string[];
      };
      readonly header?: {
        /** @description Only those of the candidate with this whole e-mail address; a text that is no address finds those whose role’s name begins with it. Case does not matter. Addresses are stored encrypted, so no part of one can be searched for. In percent-encoded UTF-8, as `encodeURIComponent` writes it, of at most 320 characters. It is a header because URLs are logged. */
        readonly 'Search-Text'?: components['parameters']['Search-Text'];
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The list, as a file. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'text/csv': string;
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'exports.evaluations': {
    readonly parameters: {
      readonly query?: {
        /** @description Only those of this role. */
        readonly roleId?: string;
        /** @description Only those of this status. */
        readonly status?: components['schemas']['EvaluationStatus'];
        /** @description Only those with a result that passed, or that did not. */
        readonly passed?: boolean;
        /** @description Only those of this overall score or more. */
        readonly minScore?: number;
        /** @description Only those of this overall score or less. */
        readonly maxScore?: number;
        /** @description Only those that wait for staff, the first to be done at the top: `failed`: there is no result, and another generation may have one. `contested`: the candidate contests something and has no answer. `overdue`: it has been generated for more than 15 minutes. Beside it `roleId` alone narrows the list. */
        readonly waiting?: components['schemas']['WaitingEvaluation'];
        /** @description Only those whose trial session was completed at this time or later. */
        readonly from?: string;
        /** @description Only those whose trial session was completed before this time. */
        readonly to?: string;
        /** @description The order, with `-` the reverse; by default `completedAt`, when the trial session was completed. By `overallScore`, those without one come below all others. With `from` or `to` it is always `completedAt`, with `minScore` or `maxScore` always `overallScore`. */
        readonly sort?: components['schemas']['EvaluationOrder'];
      };
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The list, as a file. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'text/csv': string;
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'exports.signal': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The list, as a file. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'text/csv': string;
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'recordings.read': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description ETags that the caller has already, or `*`: the answer is 304 if one is current. */
        readonly 'If-None-Match'?: components['parameters']['If-None-Match'];
        /** @description One range of bytes, as in `bytes=0-65535`; more than one is ignored. */
        readonly Range?: components['parameters']['Range'];
        /** @description The ETag that the range belongs to; another one gives the whole. */
        readonly 'If-Range'?: components['parameters']['If-Range'];
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The trial session.
         * @example 0197a3b0-5e1c-7000-8000-000000000005
         */
        readonly trialSessionId: components['parameters']['trialSessionId'];
        /**
         * @description The turn of the interview.
         * @example 1
         */
        readonly turn: components['parameters']['turn'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The recording. */
      readonly 200: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'Accept-Ranges': components['headers']['Accept-Ranges'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'audio/wav': string;
        };
      };
      /** @description The range that was asked for. */
      readonly 206: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'Accept-Ranges': components['headers']['Accept-Ranges'];
          readonly 'Content-Range': components['headers']['Content-Range'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'audio/wav': string;
        };
      };
      /** @description The caller has it already. */
      readonly 304: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 410: components['responses']['Gone'];
      readonly 413: components['responses']['ContentTooLarge'];
      /** @description `range_not_satisfiable`: The range begins beyond the end; `Content-Range` has the whole length. */
      readonly 416: {
        headers: {
          readonly 'Content-Range': components['headers']['Content-Range'];
          readonly 'Accept-Ranges': components['headers']['Accept-Ranges'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'shareLinks.list': {
    readonly parameters: {
      readonly query?: {
        /** @description How many items at most. A page of large items may hold fewer. */
        readonly limit?: number;
        /** @description The `nextCursor` of the page before, which was asked for with the same other parameters. */
        readonly cursor?: string;
      };
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The evaluation.
         * @example 0197a3b0-5e1c-7000-8000-000000000006
         */
        readonly evaluationId: components['parameters']['evaluationId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Links, oldest first, with those that have expired or were taken back. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ShareLinkPage'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 410: components['responses']['Gone'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'shareLinks.create': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Sent again with the same key and body, the request gives the first answer again and does nothing more. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The evaluation.
         * @example 0197a3b0-5e1c-7000-8000-000000000006
         */
        readonly evaluationId: components['parameters']['evaluationId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: {
      readonly content: {
        /**
         * @example {
         *       "expiresInDays": 30,
         *       "label": "For the panel on Friday"
         *     }
         */
        readonly 'application/json': components['schemas']['CreateShareLink'];
      };
    };
    readonly responses: {
      /** @description The link, with its token. */
      readonly 201: {
        headers: {
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['NewShareLink'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      /**
       * @description `evaluation_not_ready`: The evaluation is not ready.
       *
       *     `idempotency_key_reused`: The Idempotency-Key was used with another body.
       *
       *     `conflict`: Others changed the same record again and again meanwhile.
       */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 410: components['responses']['Gone'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'shareLinks.revoke': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The evaluation.
         * @example 0197a3b0-5e1c-7000-8000-000000000006
         */
        readonly evaluationId: components['parameters']['evaluationId'];
        /**
         * @description The share link.
         * @example 0197a3b0-5e1c-7000-8000-000000000009
         */
        readonly shareLinkId: components['parameters']['shareLinkId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description It is taken back. */
      readonly 204: {
        headers: {
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 409: components['responses']['Conflict'];
      readonly 410: components['responses']['Gone'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'sharedReports.read': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The token of the share link.
         * @example Jf2w0nZ4bq7Yk1xU9sTg3hVc6mRd8pLe5aQoWiNyBzA
         */
        readonly token: components['parameters']['token'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The report. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['SharedReport'];
          readonly 'text/html': string;
          readonly 'application/pdf': string;
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 404: components['responses']['NotFound'];
      readonly 413: components['responses']['ContentTooLarge'];
      /** @description `pdf_script_unsupported`: The report has characters that the fonts of its PDF do not have. */
      readonly 422: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'sharedReports.readPdf': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The token of the share link.
         * @example Jf2w0nZ4bq7Yk1xU9sTg3hVc6mRd8pLe5aQoWiNyBzA
         */
        readonly token: components['parameters']['token'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The report. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/pdf': string;
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 404: components['responses']['NotFound'];
      readonly 413: components['responses']['ContentTooLarge'];
      /** @description `pdf_script_unsupported`: The report has characters that the fonts of its PDF do not have. */
      readonly 422: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'audit.list': {
    readonly parameters: {
      readonly query?: {
        /** @description How many items at most. A page of large items may hold fewer. */
        readonly limit?: number;
        /** @description The `nextCursor` of the page before, which was asked for with the same other parameters. */
        readonly cursor?: string;
      };
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Entries, newest first. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['AuditEntryPage'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'apiKeys.list': {
    readonly parameters: {
      readonly query?: {
        /** @description How many items at most. A page of large items may hold fewer. */
        readonly limit?: number;
        /** @description The `nextCursor` of the page before, which was asked for with the same other parameters. */
        readonly cursor?: string;
      };
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Keys, oldest first, with those that have ended. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ApiKeyPage'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'apiKeys.create': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Sent again with the same key and body, the request gives the first answer again and does nothing more. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "name": "Applicant tracking",
         *       "scopes": [
         *         "roles.read",
         *         "candidates.invite"
         *       ],
         *       "expiresInDays": 90
         *     }
         */
        readonly 'application/json': components['schemas']['CreateApiKey'];
      };
    };
    readonly responses: {
      /** @description The key and its token. */
      readonly 201: {
        headers: {
          readonly Location: components['headers']['Location'];
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['NewApiKey'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      /**
       * @description `idempotency_key_reused`: The Idempotency-Key was used with another body.
       *
       *     `conflict`: Others changed the same record again and again meanwhile.
       */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'apiKeys.read': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The API key.
         * @example 0197a3b0-5e1c-7000-8000-000000000015
         */
        readonly apiKeyId: components['parameters']['apiKeyId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The key. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ApiKey'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'apiKeys.revoke': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The API key.
         * @example 0197a3b0-5e1c-7000-8000-000000000015
         */
        readonly apiKeyId: components['parameters']['apiKeyId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description It is revoked. */
      readonly 204: {
        headers: {
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 409: components['responses']['Conflict'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'webhooks.list': {
    readonly parameters: {
      readonly query?: {
        /** @description How many items at most. A page of large items may hold fewer. */
        readonly limit?: number;
        /** @description The `nextCursor` of the page before, which was asked for with the same other parameters. */
        readonly cursor?: string;
      };
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Webhooks, oldest first. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['WebhookPage'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'webhooks.create': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Sent again with the same key and body, the request gives the first answer again and does nothing more. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "url": "https://example.org/notices",
         *       "events": [
         *         "evaluation.ready",
         *         "outcome.recorded"
         *       ]
         *     }
         */
        readonly 'application/json': components['schemas']['CreateWebhook'];
      };
    };
    readonly responses: {
      /** @description The webhook and its secret. */
      readonly 201: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly Location: components['headers']['Location'];
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['NewWebhook'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      /**
       * @description `idempotency_key_reused`: The Idempotency-Key was used with another body.
       *
       *     `conflict`: Others changed the same record again and again meanwhile.
       */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'webhooks.read': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description ETags that the caller has already, or `*`: the answer is 304 if one is current. */
        readonly 'If-None-Match'?: components['parameters']['If-None-Match'];
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The webhook.
         * @example 0197a3b0-5e1c-7000-8000-000000000007
         */
        readonly webhookId: components['parameters']['webhookId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The webhook. */
      readonly 200: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Webhook'];
        };
      };
      /** @description The caller has it already. */
      readonly 304: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'webhooks.delete': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description The ETag of the version that is to be changed; another one gives 412. `*` is any version. */
        readonly 'If-Match'?: components['parameters']['If-Match'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The webhook.
         * @example 0197a3b0-5e1c-7000-8000-000000000007
         */
        readonly webhookId: components['parameters']['webhookId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The webhook is deleted. */
      readonly 204: {
        headers: {
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 409: components['responses']['Conflict'];
      readonly 412: components['responses']['PreconditionFailed'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'webhooks.rotateSecret': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Sent again with the same key and body, the request gives the first answer again and does nothing more. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description The ETag of the version that is to be changed; another one gives 412. `*` is any version. */
        readonly 'If-Match'?: components['parameters']['If-Match'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The webhook.
         * @example 0197a3b0-5e1c-7000-8000-000000000007
         */
        readonly webhookId: components['parameters']['webhookId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: {
      readonly content: {
        /**
         * @example {
         *       "formerSecretValidHours": 24
         *     }
         */
        readonly 'application/json': components['schemas']['RotateSecret'];
      };
    };
    readonly responses: {
      /** @description The webhook and its new secret. */
      readonly 200: {
        headers: {
          readonly ETag: components['headers']['ETag'];
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['NewWebhook'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      /**
       * @description `idempotency_key_reused`: The Idempotency-Key was used with another body.
       *
       *     `conflict`: Others changed the same record again and again meanwhile.
       */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 412: components['responses']['PreconditionFailed'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'deliveries.list': {
    readonly parameters: {
      readonly query?: {
        /** @description How many items at most. A page of large items may hold fewer. */
        readonly limit?: number;
        /** @description The `nextCursor` of the page before, which was asked for with the same other parameters. */
        readonly cursor?: string;
      };
      readonly header?: {
        /** @description As a command answered it: the read waits until it shows that command. Of several, with commas between them, it shows all. */
        readonly 'Consistency-Token'?: components['parameters']['Consistency-Token'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The webhook.
         * @example 0197a3b0-5e1c-7000-8000-000000000007
         */
        readonly webhookId: components['parameters']['webhookId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Deliveries, newest first. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['WebhookDeliveryPage'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'webhooks.sendTest': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Sent again with the same key and body, the request gives the first answer again and does nothing more. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The webhook.
         * @example 0197a3b0-5e1c-7000-8000-000000000007
         */
        readonly webhookId: components['parameters']['webhookId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The pending delivery. */
      readonly 202: {
        headers: {
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['WebhookDelivery'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      /**
       * @description `idempotency_key_reused`: The Idempotency-Key was used with another body.
       *
       *     `conflict`: Others changed the same record again and again meanwhile.
       */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'deliveries.redeliver': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Sent again with the same key and body, the request gives the first answer again and does nothing more. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      readonly path: {
        /**
         * @description The organisation.
         * @example 0197a3b0-5e1c-7000-8000-000000000001
         */
        readonly orgId: components['parameters']['orgId'];
        /**
         * @description The webhook.
         * @example 0197a3b0-5e1c-7000-8000-000000000007
         */
        readonly webhookId: components['parameters']['webhookId'];
        /**
         * @description The delivery.
         * @example 0197a3b0-5e1c-7000-8000-000000000008
         */
        readonly deliveryId: components['parameters']['deliveryId'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The delivery, pending again. */
      readonly 202: {
        headers: {
          readonly 'Consistency-Token': components['headers']['Consistency-Token'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['WebhookDelivery'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      /**
       * @description `idempotency_key_reused`: The Idempotency-Key was used with another body.
       *
       *     `conflict`: Others changed the same record again and again meanwhile.
       */
      readonly 409: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 503: components['responses']['ServiceUnavailable'];
    };
  };
  readonly 'asyncApi.read': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description AsyncAPI 3.0. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly [key: string]: unknown;
          };
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      /** @description `unavailable`: The service cannot reach its data, or a read has not caught up; `Retry-After` has the seconds to wait. */
      readonly 503: {
        headers: {
          readonly 'Retry-After': components['headers']['Retry-After'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly 'health.live': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description It runs. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Liveness'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      /** @description `unavailable`: The service cannot reach its data, or a read has not caught up; `Retry-After` has the seconds to wait. */
      readonly 503: {
        headers: {
          readonly 'Retry-After': components['headers']['Retry-After'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly 'health.ready': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description It can. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Readiness'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      /** @description `unavailable`: The service cannot reach its data, or a read has not caught up; `Retry-After` has the seconds to wait. */
      readonly 503: {
        headers: {
          readonly 'Retry-After': components['headers']['Retry-After'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly 'metrics.read': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description In the text exposition format. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'text/plain': string;
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 404: components['responses']['NotFound'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      /** @description `unavailable`: The service cannot reach its data, or a read has not caught up; `Retry-After` has the seconds to wait. */
      readonly 503: {
        headers: {
          readonly 'Retry-After': components['headers']['Retry-After'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly 'openApi.read': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description OpenAPI 3.1. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly [key: string]: unknown;
          };
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      /** @description `unavailable`: The service cannot reach its data, or a read has not caught up; `Retry-After` has the seconds to wait. */
      readonly 503: {
        headers: {
          readonly 'Retry-After': components['headers']['Retry-After'];
          readonly 'X-Request-Id': components['headers']['X-Request-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly 'notices.candidateInvited': {
    readonly parameters: {
      readonly query?: never;
      readonly header: {
        /**
         * @description The sender.
         * @example Assay-Webhooks/1
         */
        readonly 'user-agent': string;
        /**
         * @description The id of the delivery. It is the same in every attempt.
         * @example 0197a3b0-5e1c-7000-8000-000000000008
         */
        readonly 'webhook-id': string;
        /**
         * @description The time of this attempt, in seconds since 1970. Refuse a notice if it differs from now by more than 5 minutes.
         * @example 1772355602
         */
        readonly 'webhook-timestamp': string;
        /**
         * @description One signature for each secret that is valid, separated by spaces. Each is the HMAC-SHA-256 of `{webhook-id}.{webhook-timestamp}.{body}` in base64; the key is the secret after `whsec_`, decoded from base64. The body is the bytes as received. The examples are signed with `whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw`, their body as JSON without white space.
         * @example v1,3vVkp2zQAf2KjKN7LiWfLo1XyhAtPpS1ZgccaEdiePo=
         */
        readonly 'webhook-signature': string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "type": "candidate.invited",
         *       "timestamp": "2026-03-01T09:00:00.000Z",
         *       "data": {
         *         "organisationId": "0197a3b0-5e1c-7000-8000-000000000001",
         *         "candidateId": "0197a3b0-5e1c-7000-8000-000000000003",
         *         "applicationId": "0197a3b0-5e1c-7000-8000-000000000004",
         *         "trialSessionId": "0197a3b0-5e1c-7000-8000-000000000005",
         *         "roleId": "0197a3b0-5e1c-7000-8000-000000000002"
         *       }
         *     }
         */
        readonly 'application/json': components['schemas']['CandidateInvitedNotice'];
      };
    };
    readonly responses: {
      /** @description The notice fails at once and is not sent again. The webhook remains. */
      readonly 410: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The notice is delivered. Answer within 15 seconds. */
      readonly '2XX': {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The notice is tried again, as if there were no answer, for three days. A redirect is not followed. */
      readonly default: {
        headers: {
          /** @description Seconds until the next attempt, or its date as HTTP writes it; at most a day from now. */
          readonly 'Retry-After'?: number | string;
          readonly [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  readonly 'notices.trialStarted': {
    readonly parameters: {
      readonly query?: never;
      readonly header: {
        /**
         * @description The sender.
         * @example Assay-Webhooks/1
         */
        readonly 'user-agent': string;
        /**
         * @description The id of the delivery. It is the same in every attempt.
         * @example 0197a3b0-5e1c-7000-8000-000000000008
         */
        readonly 'webhook-id': string;
        /**
         * @description The time of this attempt, in seconds since 1970. Refuse a notice if it differs from now by more than 5 minutes.
         * @example 1772355602
         */
        readonly 'webhook-timestamp': string;
        /**
         * @description One signature for each secret that is valid, separated by spaces. Each is the HMAC-SHA-256 of `{webhook-id}.{webhook-timestamp}.{body}` in base64; the key is the secret after `whsec_`, decoded from base64. The body is the bytes as received. The examples are signed with `whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw`, their body as JSON without white space.
         * @example v1,/IUOZtaiqCEkn/+qL4NLJ3qrk3BlKk/lQVyAbHUAh6c=
         */
        readonly 'webhook-signature': string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "type": "trial.started",
         *       "timestamp": "2026-03-01T09:00:00.000Z",
         *       "data": {
         *         "organisationId": "0197a3b0-5e1c-7000-8000-000000000001",
         *         "candidateId": "0197a3b0-5e1c-7000-8000-000000000003",
         *         "applicationId": "0197a3b0-5e1c-7000-8000-000000000004",
         *         "trialSessionId": "0197a3b0-5e1c-7000-8000-000000000005",
         *         "roleId": "0197a3b0-5e1c-7000-8000-000000000002"
         *       }
         *     }
         */
        readonly 'application/json': components['schemas']['TrialStartedNotice'];
      };
    };
    readonly responses: {
      /** @description The notice fails at once and is not sent again. The webhook remains. */
      readonly 410: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The notice is delivered. Answer within 15 seconds. */
      readonly '2XX': {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The notice is tried again, as if there were no answer, for three days. A redirect is not followed. */
      readonly default: {
        headers: {
          /** @description Seconds until the next attempt, or its date as HTTP writes it; at most a day from now. */
          readonly 'Retry-After'?: number | string;
          readonly [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  readonly 'notices.trialCompleted': {
    readonly parameters: {
      readonly query?: never;
      readonly header: {
        /**
         * @description The sender.
         * @example Assay-Webhooks/1
         */
        readonly 'user-agent': string;
        /**
         * @description The id of the delivery. It is the same in every attempt.
         * @example 0197a3b0-5e1c-7000-8000-000000000008
         */
        readonly 'webhook-id': string;
        /**
         * @description The time of this attempt, in seconds since 1970. Refuse a notice if it differs from now by more than 5 minutes.
         * @example 1772355602
         */
        readonly 'webhook-timestamp': string;
        /**
         * @description One signature for each secret that is valid, separated by spaces. Each is the HMAC-SHA-256 of `{webhook-id}.{webhook-timestamp}.{body}` in base64; the key is the secret after `whsec_`, decoded from base64. The body is the bytes as received. The examples are signed with `whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw`, their body as JSON without white space.
         * @example v1,M/IaBANN2Dybi3sotinIiY5JMMg/MXZ8kr554I170BA=
         */
        readonly 'webhook-signature': string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "type": "trial.completed",
         *       "timestamp": "2026-03-01T09:00:00.000Z",
         *       "data": {
         *         "organisationId": "0197a3b0-5e1c-7000-8000-000000000001",
         *         "candidateId": "0197a3b0-5e1c-7000-8000-000000000003",
         *         "applicationId": "0197a3b0-5e1c-7000-8000-000000000004",
         *         "trialSessionId": "0197a3b0-5e1c-7000-8000-000000000005",
         *         "roleId": "0197a3b0-5e1c-7000-8000-000000000002",
         *         "evaluationId": "0197a3b0-5e1c-7000-8000-000000000006"
         *       }
         *     }
         */
        readonly 'application/json': components['schemas']['TrialCompletedNotice'];
      };
    };
    readonly responses: {
      /** @description The notice fails at once and is not sent again. The webhook remains. */
      readonly 410: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The notice is delivered. Answer within 15 seconds. */
      readonly '2XX': {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The notice is tried again, as if there were no answer, for three days. A redirect is not followed. */
      readonly default: {
        headers: {
          /** @description Seconds until the next attempt, or its date as HTTP writes it; at most a day from now. */
          readonly 'Retry-After'?: number | string;
          readonly [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  readonly 'notices.trialExpired': {
    readonly parameters: {
      readonly query?: never;
      readonly header: {
        /**
         * @description The sender.
         * @example Assay-Webhooks/1
         */
        readonly 'user-agent': string;
        /**
         * @description The id of the delivery. It is the same in every attempt.
         * @example 0197a3b0-5e1c-7000-8000-000000000008
         */
        readonly 'webhook-id': string;
        /**
         * @description The time of this attempt, in seconds since 1970. Refuse a notice if it differs from now by more than 5 minutes.
         * @example 1772355602
         */
        readonly 'webhook-timestamp': string;
        /**
         * @description One signature for each secret that is valid, separated by spaces. Each is the HMAC-SHA-256 of `{webhook-id}.{webhook-timestamp}.{body}` in base64; the key is the secret after `whsec_`, decoded from base64. The body is the bytes as received. The examples are signed with `whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw`, their body as JSON without white space.
         * @example v1,3p3fCP8yCaj2iOiKgYx088Hf2gGEX/4qAKMl6D9wcxs=
         */
        readonly 'webhook-signature': string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "type": "trial.expired",
         *       "timestamp": "2026-03-01T09:00:00.000Z",
         *       "data": {
         *         "organisationId": "0197a3b0-5e1c-7000-8000-000000000001",
         *         "candidateId": "0197a3b0-5e1c-7000-8000-000000000003",
         *         "applicationId": "0197a3b0-5e1c-7000-8000-000000000004",
         *         "trialSessionId": "0197a3b0-5e1c-7000-8000-000000000005",
         *         "roleId": "0197a3b0-5e1c-7000-8000-000000000002"
         *       }
         *     }
         */
        readonly 'application/json': components['schemas']['TrialExpiredNotice'];
      };
    };
    readonly responses: {
      /** @description The notice fails at once and is not sent again. The webhook remains. */
      readonly 410: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The notice is delivered. Answer within 15 seconds. */
      readonly '2XX': {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The notice is tried again, as if there were no answer, for three days. A redirect is not followed. */
      readonly default: {
        headers: {
          /** @description Seconds until the next attempt, or its date as HTTP writes it; at most a day from now. */
          readonly 'Retry-After'?: number | string;
          readonly [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  readonly 'notices.trialWithdrawn': {
    readonly parameters: {
      readonly query?: never;
      readonly header: {
        /**
         * @description The sender.
         * @example Assay-Webhooks/1
         */
        readonly 'user-agent': string;
        /**
         * @description The id of the delivery. It is the same in every attempt.
         * @example 0197a3b0-5e1c-7000-8000-000000000008
         */
        readonly 'webhook-id': string;
        /**
         * @description The time of this attempt, in seconds since 1970. Refuse a notice if it differs from now by more than 5 minutes.
         * @example 1772355602
         */
        readonly 'webhook-timestamp': string;
        /**
         * @description One signature for each secret that is valid, separated by spaces. Each is the HMAC-SHA-256 of `{webhook-id}.{webhook-timestamp}.{body}` in base64; the key is the secret after `whsec_`, decoded from base64. The body is the bytes as received. The examples are signed with `whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw`, their body as JSON without white space.
         * @example v1,nhqaP8OvmTNXB1mRELnLjnxCJsBeh/vCNUpGiRxwagg=
         */
        readonly 'webhook-signature': string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "type": "trial.withdrawn",
         *       "timestamp": "2026-03-01T09:00:00.000Z",
         *       "data": {
         *         "organisationId": "0197a3b0-5e1c-7000-8000-000000000001",
         *         "candidateId": "0197a3b0-5e1c-7000-8000-000000000003",
         *         "applicationId": "0197a3b0-5e1c-7000-8000-000000000004",
         *         "trialSessionId": "0197a3b0-5e1c-7000-8000-000000000005",
         *         "roleId": "0197a3b0-5e1c-7000-8000-000000000002"
         *       }
         *     }
         */
        readonly 'application/json': components['schemas']['TrialWithdrawnNotice'];
      };
    };
    readonly responses: {
      /** @description The notice fails at once and is not sent again. The webhook remains. */
      readonly 410: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The notice is delivered. Answer within 15 seconds. */
      readonly '2XX': {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The notice is tried again, as if there were no answer, for three days. A redirect is not followed. */
      readonly default: {
        headers: {
          /** @description Seconds until the next attempt, or its date as HTTP writes it; at most a day from now. */
          readonly 'Retry-After'?: number | string;
          readonly [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  readonly 'notices.evaluationReady': {
    readonly parameters: {
      readonly query?: never;
      readonly header: {
        /**
         * @description The sender.
         * @example Assay-Webhooks/1
         */
        readonly 'user-agent': string;
        /**
         * @description The id of the delivery. It is the same in every attempt.
         * @example 0197a3b0-5e1c-7000-8000-000000000008
         */
        readonly 'webhook-id': string;
        /**
         * @description The time of this attempt, in seconds since 1970. Refuse a notice if it differs from now by more than 5 minutes.
         * @example 1772355602
         */
        readonly 'webhook-timestamp': string;
        /**
         * @description One signature for each secret that is valid, separated by spaces. Each is the HMAC-SHA-256 of `{webhook-id}.{webhook-timestamp}.{body}` in base64; the key is the secret after `whsec_`, decoded from base64. The body is the bytes as received. The examples are signed with `whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw`, their body as JSON without white space.
         * @example v1,zjzODsFbH3Bx08R32UGKvKS3kokhXFDljVxmAwWfx9I=
         */
        readonly 'webhook-signature': string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "type": "evaluation.ready",
         *       "timestamp": "2026-03-01T09:00:00.000Z",
         *       "data": {
         *         "organisationId": "0197a3b0-5e1c-7000-8000-000000000001",
         *         "candidateId": "0197a3b0-5e1c-7000-8000-000000000003",
         *         "applicationId": "0197a3b0-5e1c-7000-8000-000000000004",
         *         "trialSessionId": "0197a3b0-5e1c-7000-8000-000000000005",
         *         "roleId": "0197a3b0-5e1c-7000-8000-000000000002",
         *         "evaluationId": "0197a3b0-5e1c-7000-8000-000000000006"
         *       }
         *     }
         */
        readonly 'application/json': components['schemas']['EvaluationReadyNotice'];
      };
    };
    readonly responses: {
      /** @description The notice fails at once and is not sent again. The webhook remains. */
      readonly 410: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The notice is delivered. Answer within 15 seconds. */
      readonly '2XX': {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The notice is tried again, as if there were no answer, for three days. A redirect is not followed. */
      readonly default: {
        headers: {
          /** @description Seconds until the next attempt, or its date as HTTP writes it; at most a day from now. */
          readonly 'Retry-After'?: number | string;
          readonly [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  readonly 'notices.evaluationFailed': {
    readonly parameters: {
      readonly query?: never;
      readonly header: {
        /**
         * @description The sender.
         * @example Assay-Webhooks/1
         */
        readonly 'user-agent': string;
        /**
         * @description The id of the delivery. It is the same in every attempt.
         * @example 0197a3b0-5e1c-7000-8000-000000000008
         */
        readonly 'webhook-id': string;
        /**
         * @description The time of this attempt, in seconds since 1970. Refuse a notice if it differs from now by more than 5 minutes.
         * @example 1772355602
         */
        readonly 'webhook-timestamp': string;
        /**
         * @description One signature for each secret that is valid, separated by spaces. Each is the HMAC-SHA-256 of `{webhook-id}.{webhook-timestamp}.{body}` in base64; the key is the secret after `whsec_`, decoded from base64. The body is the bytes as received. The examples are signed with `whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw`, their body as JSON without white space.
         * @example v1,0LDq5up9CskCzEGfzrpC06uCNDTsSOUnDtSgbWEj2S4=
         */
        readonly 'webhook-signature': string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "type": "evaluation.failed",
         *       "timestamp": "2026-03-01T09:00:00.000Z",
         *       "data": {
         *         "organisationId": "0197a3b0-5e1c-7000-8000-000000000001",
         *         "candidateId": "0197a3b0-5e1c-7000-8000-000000000003",
         *         "applicationId": "0197a3b0-5e1c-7000-8000-000000000004",
         *         "trialSessionId": "0197a3b0-5e1c-7000-8000-000000000005",
         *         "roleId": "0197a3b0-5e1c-7000-8000-000000000002",
         *         "evaluationId": "0197a3b0-5e1c-7000-8000-000000000006"
         *       }
         *     }
         */
        readonly 'application/json': components['schemas']['EvaluationFailedNotice'];
      };
    };
    readonly responses: {
      /** @description The notice fails at once and is not sent again. The webhook remains. */
      readonly 410: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The notice is delivered. Answer within 15 seconds. */
      readonly '2XX': {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The notice is tried again, as if there were no answer, for three days. A redirect is not followed. */
      readonly default: {
        headers: {
          /** @description Seconds until the next attempt, or its date as HTTP writes it; at most a day from now. */
          readonly 'Retry-After'?: number | string;
          readonly [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  readonly 'notices.evaluationContested': {
    readonly parameters: {
      readonly query?: never;
      readonly header: {
        /**
         * @description The sender.
         * @example Assay-Webhooks/1
         */
        readonly 'user-agent': string;
        /**
         * @description The id of the delivery. It is the same in every attempt.
         * @example 0197a3b0-5e1c-7000-8000-000000000008
         */
        readonly 'webhook-id': string;
        /**
         * @description The time of this attempt, in seconds since 1970. Refuse a notice if it differs from now by more than 5 minutes.
         * @example 1772355602
         */
        readonly 'webhook-timestamp': string;
        /**
         * @description One signature for each secret that is valid, separated by spaces. Each is the HMAC-SHA-256 of `{webhook-id}.{webhook-timestamp}.{body}` in base64; the key is the secret after `whsec_`, decoded from base64. The body is the bytes as received. The examples are signed with `whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw`, their body as JSON without white space.
         * @example v1,wm4GBpck9cTo50xaa3orsTn8gExi0/tE28+Ku3MN1Nk=
         */
        readonly 'webhook-signature': string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "type": "evaluation.contested",
         *       "timestamp": "2026-03-01T09:00:00.000Z",
         *       "data": {
         *         "organisationId": "0197a3b0-5e1c-7000-8000-000000000001",
         *         "candidateId": "0197a3b0-5e1c-7000-8000-000000000003",
         *         "applicationId": "0197a3b0-5e1c-7000-8000-000000000004",
         *         "trialSessionId": "0197a3b0-5e1c-7000-8000-000000000005",
         *         "roleId": "0197a3b0-5e1c-7000-8000-000000000002",
         *         "evaluationId": "0197a3b0-5e1c-7000-8000-000000000006"
         *       }
         *     }
         */
        readonly 'application/json': components['schemas']['EvaluationContestedNotice'];
      };
    };
    readonly responses: {
      /** @description The notice fails at once and is not sent again. The webhook remains. */
      readonly 410: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The notice is delivered. Answer within 15 seconds. */
      readonly '2XX': {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The notice is tried again, as if there were no answer, for three days. A redirect is not followed. */
      readonly default: {
        headers: {
          /** @description Seconds until the next attempt, or its date as HTTP writes it; at most a day from now. */
          readonly 'Retry-After'?: number | string;
          readonly [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  readonly 'notices.outcomeRecorded': {
    readonly parameters: {
      readonly query?: never;
      readonly header: {
        /**
         * @description The sender.
         * @example Assay-Webhooks/1
         */
        readonly 'user-agent': string;
        /**
         * @description The id of the delivery. It is the same in every attempt.
         * @example 0197a3b0-5e1c-7000-8000-000000000008
         */
        readonly 'webhook-id': string;
        /**
         * @description The time of this attempt, in seconds since 1970. Refuse a notice if it differs from now by more than 5 minutes.
         * @example 1772355602
         */
        readonly 'webhook-timestamp': string;
        /**
         * @description One signature for each secret that is valid, separated by spaces. Each is the HMAC-SHA-256 of `{webhook-id}.{webhook-timestamp}.{body}` in base64; the key is the secret after `whsec_`, decoded from base64. The body is the bytes as received. The examples are signed with `whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw`, their body as JSON without white space.
         * @example v1,U4SqcsZ7fyqxpLu4mWfG9fs5C1InoNM6sKOFINseR+I=
         */
        readonly 'webhook-signature': string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "type": "outcome.recorded",
         *       "timestamp": "2026-03-01T09:00:00.000Z",
         *       "data": {
         *         "organisationId": "0197a3b0-5e1c-7000-8000-000000000001",
         *         "candidateId": "0197a3b0-5e1c-7000-8000-000000000003",
         *         "applicationId": "0197a3b0-5e1c-7000-8000-000000000004",
         *         "trialSessionId": "0197a3b0-5e1c-7000-8000-000000000005",
         *         "roleId": "0197a3b0-5e1c-7000-8000-000000000002"
         *       }
         *     }
         */
        readonly 'application/json': components['schemas']['OutcomeRecordedNotice'];
      };
    };
    readonly responses: {
      /** @description The notice fails at once and is not sent again. The webhook remains. */
      readonly 410: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The notice is delivered. Answer within 15 seconds. */
      readonly '2XX': {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The notice is tried again, as if there were no answer, for three days. A redirect is not followed. */
      readonly default: {
        headers: {
          /** @description Seconds until the next attempt, or its date as HTTP writes it; at most a day from now. */
          readonly 'Retry-After'?: number | string;
          readonly [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  readonly 'notices.erasureRequested': {
    readonly parameters: {
      readonly query?: never;
      readonly header: {
        /**
         * @description The sender.
         * @example Assay-Webhooks/1
         */
        readonly 'user-agent': string;
        /**
         * @description The id of the delivery. It is the same in every attempt.
         * @example 0197a3b0-5e1c-7000-8000-000000000008
         */
        readonly 'webhook-id': string;
        /**
         * @description The time of this attempt, in seconds since 1970. Refuse a notice if it differs from now by more than 5 minutes.
         * @example 1772355602
         */
        readonly 'webhook-timestamp': string;
        /**
         * @description One signature for each secret that is valid, separated by spaces. Each is the HMAC-SHA-256 of `{webhook-id}.{webhook-timestamp}.{body}` in base64; the key is the secret after `whsec_`, decoded from base64. The body is the bytes as received. The examples are signed with `whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw`, their body as JSON without white space.
         * @example v1,C/qpl4dsPAzDjrwH4tFQGZKA9VzlaQSlyndAfkFHbBQ=
         */
        readonly 'webhook-signature': string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "type": "erasure.requested",
         *       "timestamp": "2026-03-01T09:00:00.000Z",
         *       "data": {
         *         "organisationId": "0197a3b0-5e1c-7000-8000-000000000001",
         *         "candidateId": "0197a3b0-5e1c-7000-8000-000000000003",
         *         "applicationId": "0197a3b0-5e1c-7000-8000-000000000004",
         *         "trialSessionId": "0197a3b0-5e1c-7000-8000-000000000005",
         *         "roleId": "0197a3b0-5e1c-7000-8000-000000000002"
         *       }
         *     }
         */
        readonly 'application/json': components['schemas']['ErasureRequestedNotice'];
      };
    };
    readonly responses: {
      /** @description The notice fails at once and is not sent again. The webhook remains. */
      readonly 410: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The notice is delivered. Answer within 15 seconds. */
      readonly '2XX': {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The notice is tried again, as if there were no answer, for three days. A redirect is not followed. */
      readonly default: {
        headers: {
          /** @description Seconds until the next attempt, or its date as HTTP writes it; at most a day from now. */
          readonly 'Retry-After'?: number | string;
          readonly [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  readonly 'notices.candidateErased': {
    readonly parameters: {
      readonly query?: never;
      readonly header: {
        /**
         * @description The sender.
         * @example Assay-Webhooks/1
         */
        readonly 'user-agent': string;
        /**
         * @description The id of the delivery. It is the same in every attempt.
         * @example 0197a3b0-5e1c-7000-8000-000000000008
         */
        readonly 'webhook-id': string;
        /**
         * @description The time of this attempt, in seconds since 1970. Refuse a notice if it differs from now by more than 5 minutes.
         * @example 1772355602
         */
        readonly 'webhook-timestamp': string;
        /**
         * @description One signature for each secret that is valid, separated by spaces. Each is the HMAC-SHA-256 of `{webhook-id}.{webhook-timestamp}.{body}` in base64; the key is the secret after `whsec_`, decoded from base64. The body is the bytes as received. The examples are signed with `whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw`, their body as JSON without white space.
         * @example v1,g9W9UMhDUlAnGcDoGBDRPEjqzgclrAxmk/xO1RmkLVI=
         */
        readonly 'webhook-signature': string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "type": "candidate.erased",
         *       "timestamp": "2026-03-01T09:00:00.000Z",
         *       "data": {
         *         "organisationId": "0197a3b0-5e1c-7000-8000-000000000001",
         *         "candidateId": "0197a3b0-5e1c-7000-8000-000000000003",
         *         "applicationIds": [
         *           "0197a3b0-5e1c-7000-8000-000000000004"
         *         ]
         *       }
         *     }
         */
        readonly 'application/json': components['schemas']['CandidateErasedNotice'];
      };
    };
    readonly responses: {
      /** @description The notice fails at once and is not sent again. The webhook remains. */
      readonly 410: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The notice is delivered. Answer within 15 seconds. */
      readonly '2XX': {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The notice is tried again, as if there were no answer, for three days. A redirect is not followed. */
      readonly default: {
        headers: {
          /** @description Seconds until the next attempt, or its date as HTTP writes it; at most a day from now. */
          readonly 'Retry-After'?: number | string;
          readonly [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  readonly 'notices.webhookTest': {
    readonly parameters: {
      readonly query?: never;
      readonly header: {
        /**
         * @description The sender.
         * @example Assay-Webhooks/1
         */
        readonly 'user-agent': string;
        /**
         * @description The id of the delivery. It is the same in every attempt.
         * @example 0197a3b0-5e1c-7000-8000-000000000008
         */
        readonly 'webhook-id': string;
        /**
         * @description The time of this attempt, in seconds since 1970. Refuse a notice if it differs from now by more than 5 minutes.
         * @example 1772355602
         */
        readonly 'webhook-timestamp': string;
        /**
         * @description One signature for each secret that is valid, separated by spaces. Each is the HMAC-SHA-256 of `{webhook-id}.{webhook-timestamp}.{body}` in base64; the key is the secret after `whsec_`, decoded from base64. The body is the bytes as received. The examples are signed with `whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw`, their body as JSON without white space.
         * @example v1,cdloJyZu5BqpWL8UAMt5XBPgmkRVRYbogC2MP9zg9YE=
         */
        readonly 'webhook-signature': string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "type": "webhook.test",
         *       "timestamp": "2026-03-01T09:00:00.000Z",
         *       "data": {
         *         "organisationId": "0197a3b0-5e1c-7000-8000-000000000001",
         *         "webhookId": "0197a3b0-5e1c-7000-8000-000000000007"
         *       }
         *     }
         */
        readonly 'application/json': components['schemas']['WebhookTestNotice'];
      };
    };
    readonly responses: {
      /** @description The notice fails at once and is not sent again. The webhook remains. */
      readonly 410: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The notice is delivered. Answer within 15 seconds. */
      readonly '2XX': {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The notice is tried again, as if there were no answer, for three days. A redirect is not followed. */
      readonly default: {
        headers: {
          /** @description Seconds until the next attempt, or its date as HTTP writes it; at most a day from now. */
          readonly 'Retry-After'?: number | string;
          readonly [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
}
type FlattenedDeepRequired<T> = {
  [K in keyof T]-?: FlattenedDeepRequired<
    T[K] extends unknown[] | undefined | null ? Extract<T[K], unknown[]>[number] : T[K]
  >;
};
type ReadonlyArray<T> = [Exclude<T, undefined>] extends [unknown[]]
  ? Readonly<Exclude<T, undefined>>
  : Readonly<Exclude<T, undefined>[]>;
export const actorTypeValues: ReadonlyArray<FlattenedDeepRequired<components>['schemas']['ActorType']> = [
  'staff',
  'api_key',
  'candidate',
  'operator',
  'share_link',
  'system',
];
export const aiPolicyValues: ReadonlyArray<FlattenedDeepRequired<components>['schemas']['AiPolicy']> = [
  'forbidden',
  'allowed',
  'provided',
];
export const answerSourceValues: ReadonlyArray<FlattenedDeepRequired<components>['schemas']['AnswerSource']> =
  ['typed', 'speech', 'transcribed'];
export const apiKeyScopeValues: ReadonlyArray<FlattenedDeepRequired<components>['schemas']['ApiKeyScope']> = [
  'organisation.write',
  'webhooks.manage',
  'candidates.erase',
  'audit.read',
  'reads.read',
  'roles.write',
  'candidates.invite',
  'outcomes.record',
  'evaluations.regenerate',
  'reports.share',
  'audio.hear',
  'work.read',
  'data.export',
  'organisation.read',
  'roles.read',
  'applications.read',
  'evaluations.read',
  'signal.read',
];
export const apiKeyStatusValues: ReadonlyArray<FlattenedDeepRequired<components>['schemas']['ApiKeyStatus']> =
  ['active', 'expired', 'revoked', 'maker_removed'];
export const applicationOrderValues: ReadonlyArray<
  FlattenedDeepRequired<components>['schemas']['ApplicationOrder']
> = ['invitedAt', '-invitedAt', 'roleName', '-roleName'];
export const applicationStatusValues: ReadonlyArray<
  FlattenedDeepRequired<components>['schemas']['ApplicationStatus']
> = ['invited', 'in_progress', 'completed', 'withdrawn', 'expired', 'erased'];
export const archiveFormatValues: ReadonlyArray<
  FlattenedDeepRequired<components>['schemas']['ArchiveFormat']
> = ['zip', 'tar'];
export const auditSubjectTypeValues: ReadonlyArray<
  FlattenedDeepRequired<components>['schemas']['AuditSubjectType']
> = [
  'organisation',
  'member',
  'role',
  'candidate',
  'application',
  'trial_session',
  'evaluation',
  'share_link',
  'api_key',
  'webhook',
  'delivery',
];
export const candidateResultsValues: ReadonlyArray<
  FlattenedDeepRequired<components>['schemas']['CandidateResults']
> = ['nothing', 'result', 'result_with_explanation'];
export const checkFailureValues: ReadonlyArray<FlattenedDeepRequired<components>['schemas']['CheckFailure']> =
  [
    'no_checker',
    'isolation',
    'not_started',
    'unavailable',
    'failed',
    'killed',
    'timed_out',
    'too_much_output',
    'too_much_stored',
    'no_results',
    'unreadable_results',
    'results_too_large',
    'no_tests',
    'work_did_not_run',
    'ended_processes',
    'given_up',
  ];
export const checkIsolationValues: ReadonlyArray<
  FlattenedDeepRequired<components>['schemas']['CheckIsolation']
> = ['separate', 'shared'];
export const checkOutcomeValues: ReadonlyArray<FlattenedDeepRequired<components>['schemas']['CheckOutcome']> =
  ['checked', 'error'];
export const checkedTestStatusValues: ReadonlyArray<
  FlattenedDeepRequired<components>['schemas']['CheckedTestStatus']
> = ['pass', 'fail', 'error'];
export const contestedKindValues: ReadonlyArray<
  FlattenedDeepRequired<components>['schemas']['ContestedKind']
> = ['quote', 'transcript', 'finding', 'score'];
export const deliveredTypeValues: ReadonlyArray<
  FlattenedDeepRequired<components>['schemas']['DeliveredType']
> = [
  'candidate.invited',
  'trial.started',
  'trial.completed',
  'trial.expired',
  'trial.withdrawn',
  'evaluation.ready',
  'evaluation.failed',
  'evaluation.contested',
  'outcome.recorded',
  'erasure.requested',
  'candidate.erased',
  'webhook.test',
];
export const deliveryFaultValues: ReadonlyArray<
  FlattenedDeepRequired<components>['schemas']['DeliveryFault']
> = [
  'timeout',
  'unresolved',
  'private_address',
  'unreachable',
  'tls',
  'bad_answer',
  'webhook_deleted',
  'held',
];
export const deliveryStatusValues: ReadonlyArray<
  FlattenedDeepRequired<components>['schemas']['DeliveryStatus']
> = ['pending', 'delivered', 'failed'];
export const dimensionCategoryValues: ReadonlyArray<
  FlattenedDeepRequired<components>['schemas']['DimensionCategory']
> = ['process', 'correctness'];
export const dispositionValues: ReadonlyArray<FlattenedDeepRequired<components>['schemas']['Disposition']> = [
  'hired',
  'declined',
];
export const errorCodeValues: ReadonlyArray<FlattenedDeepRequired<components>['schemas']['ErrorCode']> = [
  'validation_failed',
  'not_found',
  'idempotency_key_reused',
  'conflict',
  'version_mismatch',
  'role_draft',
  'role_archived',
  'already_invited',
  'erased',
  'forbidden',
  'already_member',
  'last_owner',
  'application_closed',
  'trial_not_completed',
  'too_many_requests',
  'not_started',
  'session_ended',
  'notice_changed',
  'session_full',
  'nothing_to_hand_in',
  'hand_ins_full',
  'hand_in_incomplete',
  'evaluation_generating',
  'nothing_released',
  'too_many_contests',
  'already_answered',
  'evaluation_not_ready',
  'already_given',
  'mail_pending',
  'mail_resend_limited',
  'mail_pointless',
  'work_refused',
  'malformed_json',
  'missing_token',
  'invalid_token',
  'method_not_allowed',
  'too_large',
  'unsupported_media_type',
  'range_not_satisfiable',
  'too_far',
  'pdf_script_unsupported',
  'rate_limited',
  'internal',
  'unavailable',
  'view_parked',
];
export const evaluationOrderValues: ReadonlyArray<
  FlattenedDeepRequired<components>['schemas']['EvaluationOrder']
> = ['completedAt', '-completedAt', 'overallScore', '-overallScore'];
export const evaluationStatusValues: ReadonlyArray<
  FlattenedDeepRequired<components>['schemas']['EvaluationStatus']
> = ['generating', 'ready', 'failed'];
export const evidenceKindValues: ReadonlyArray<FlattenedDeepRequired<components>['schemas']['EvidenceKind']> =
  ['lifecycle', 'message', 'activity', 'integrity', 'system'];
export const evidenceSourceValues: ReadonlyArray<
  FlattenedDeepRequired<components>['schemas']['EvidenceSource']
> = ['service', 'checker', 'candidate'];
export const fileSetStatusValues: ReadonlyArray<
  FlattenedDeepRequired<components>['schemas']['FileSetStatus']
> = ['receiving', 'complete'];
export const findingKindValues: ReadonlyArray<FlattenedDeepRequired<components>['schemas']['FindingKind']> = [
  'identity_verified',
  'identity_mismatch',
  'concurrent_connection',
  'activity_gap',
  'response_gap_outlier',
  'paste_burst',
  'prompt_copied',
  'focus_lost',
  'network_changed',
  'fullscreen_exited',
  'generated_text_suspected',
  'claims_differ',
  'work_arrived_at_once',
  'copied_from_other_hand_in',
];
export const findingSeverityValues: ReadonlyArray<
  FlattenedDeepRequired<components>['schemas']['FindingSeverity']
> = ['info', 'low', 'medium', 'high'];
export const handInChecksStateValues: ReadonlyArray<
  FlattenedDeepRequired<components>['schemas']['HandInChecksState']
> = ['waiting', 'checked', 'error'];
export const handInStatusValues: ReadonlyArray<FlattenedDeepRequired<components>['schemas']['HandInStatus']> =
  ['receiving', 'handed_in', 'refused'];
export const humanRoundValues: ReadonlyArray<FlattenedDeepRequired<components>['schemas']['HumanRound']> = [
  'passed',
  'failed',
];
export const importStatusValues: ReadonlyArray<FlattenedDeepRequired<components>['schemas']['ImportStatus']> =
  ['running', 'finished'];
export const instantFindingKindValues: ReadonlyArray<
  FlattenedDeepRequired<components>['schemas']['InstantFindingKind']
> = [
  'identity_verified',
  'identity_mismatch',
  'concurrent_connection',
  'activity_gap',
  'paste_burst',
  'prompt_copied',
  'focus_lost',
  'network_changed',
  'fullscreen_exited',
  'generated_text_suspected',
  'claims_differ',
  'work_arrived_at_once',
  'copied_from_other_hand_in',
];
export const interviewerNameValues: ReadonlyArray<
  FlattenedDeepRequired<components>['schemas']['InterviewerName']
> = ['scripted', 'openai'];
export const languageValues: ReadonlyArray<FlattenedDeepRequired<components>['schemas']['Language']> = [
  'en',
  'de',
];
export const leftOutReasonValues: ReadonlyArray<
  FlattenedDeepRequired<components>['schemas']['LeftOutReason']
> = ['no_tickets', 'no_hand_ins', 'no_checks', 'checked', 'tickets_count', 'not_higher', 'not_checked'];
export const mailFaultValues: ReadonlyArray<FlattenedDeepRequired<components>['schemas']['MailFault']> = [
  'refused',
  'deferred',
  'not_permitted',
  'insecure',
  'unreachable',
  'timed_out',
  'limited',
  'held',
];
export const mailKindValues: ReadonlyArray<FlattenedDeepRequired<components>['schemas']['MailKind']> = [
  'invitation',
  'reminder',
  'extension',
  'receipt',
  'cancellation',
];
export const mailStateValues: ReadonlyArray<FlattenedDeepRequired<components>['schemas']['MailState']> = [
  'pending',
  'limited',
  'held',
  'sent',
  'failed',
  'off',
];
export const measureWarningValues: ReadonlyArray<
  FlattenedDeepRequired<components>['schemas']['MeasureWarning']
> = ['unmeasured', 'no_tickets', 'no_checks', 'checks_not_run', 'checks_refused', 'self_reported'];
export const memberRoleValues: ReadonlyArray<FlattenedDeepRequired<components>['schemas']['MemberRole']> = [
  'owner',
  'admin',
  'recruiter',
  'reviewer',
];
export const messageRecipientValues: ReadonlyArray<
  FlattenedDeepRequired<components>['schemas']['MessageRecipient']
> = ['assistant', 'interviewer'];
export const noticeTypeValues: ReadonlyArray<FlattenedDeepRequired<components>['schemas']['NoticeType']> = [
  'candidate.invited',
  'trial.started',
  'trial.completed',
  'trial.expired',
  'trial.withdrawn',
  'evaluation.ready',
  'evaluation.failed',
  'evaluation.contested',
  'outcome.recorded',
  'erasure.requested',
  'candidate.erased',
];
export const omittedLinesValues: ReadonlyArray<FlattenedDeepRequired<components>['schemas']['OmittedLines']> =
  ['binary', 'too_large'];
export const outcomeStatusValues: ReadonlyArray<
  FlattenedDeepRequired<components>['schemas']['OutcomeStatus']
> = ['none', 'passed', 'failed', 'hired', 'declined'];
export const permissionValues: ReadonlyArray<FlattenedDeepRequired<components>['schemas']['Permission']> = [
  'owners.manage',
  'members.manage',
  'keys.manage',
  'organisation.write',
  'webhooks.manage',
  'candidates.erase',
  'audit.read',
  'reads.read',
  'views.manage',
  'roles.write',
  'candidates.invite',
  'outcomes.record',
  'evaluations.regenerate',
  'reports.share',
  'audio.hear',
  'work.read',
  'data.export',
  'organisation.read',
  'members.read',
  'roles.read',
  'applications.read',
  'evaluations.read',
  'signal.read',
  'views.save',
];
export const questionKindValues: ReadonlyArray<FlattenedDeepRequired<components>['schemas']['QuestionKind']> =
  ['planned', 'follow_up', 'clarification', 'closing'];
export const readerTypeValues: ReadonlyArray<FlattenedDeepRequired<components>['schemas']['ReaderType']> = [
  'staff',
  'api_key',
  'candidate',
  'operator',
  'share_link',
];
export const roleActionValues: ReadonlyArray<FlattenedDeepRequired<components>['schemas']['RoleAction']> = [
  'role.created',
  'role.updated',
  'role.archived',
  'role.unarchived',
];
export const roleOrderValues: ReadonlyArray<FlattenedDeepRequired<components>['schemas']['RoleOrder']> = [
  'createdAt',
  '-createdAt',
];
export const roleStatusValues: ReadonlyArray<FlattenedDeepRequired<components>['schemas']['RoleStatus']> = [
  'draft',
  'ready',
];
export const roleTemplateIdValues: ReadonlyArray<
  FlattenedDeepRequired<components>['schemas']['RoleTemplateId']
> = ['backend', 'frontend', 'data', 'support'];
export const savedViewListValues: ReadonlyArray<
  FlattenedDeepRequired<components>['schemas']['SavedViewList']
> = ['applications', 'evaluations'];
export const savedViewSortValues: ReadonlyArray<
  FlattenedDeepRequired<components>['schemas']['SavedViewSort']
> = [
  'invitedAt',
  '-invitedAt',
  'roleName',
  '-roleName',
  'completedAt',
  '-completedAt',
  'overallScore',
  '-overallScore',
];
export const savedViewStatusValues: ReadonlyArray<
  FlattenedDeepRequired<components>['schemas']['SavedViewStatus']
> = [
  'invited',
  'in_progress',
  'completed',
  'withdrawn',
  'expired',
  'erased',
  'generating',
  'ready',
  'failed',
];
export const savedViewWaitingValues: ReadonlyArray<
  FlattenedDeepRequired<components>['schemas']['SavedViewWaiting']
> = ['outcome', 'expiring', 'accommodation', 'erasure', 'failed', 'contested', 'overdue'];
export const shownScoresValues: ReadonlyArray<FlattenedDeepRequired<components>['schemas']['ShownScores']> = [
  'dimensions',
];
export const ticketKindValues: ReadonlyArray<FlattenedDeepRequired<components>['schemas']['TicketKind']> = [
  'files',
  'text',
];
export const ticketProgressValues: ReadonlyArray<
  FlattenedDeepRequired<components>['schemas']['TicketProgress']
> = ['started', 'finished'];
export const trialSessionStatusValues: ReadonlyArray<
  FlattenedDeepRequired<components>['schemas']['TrialSessionStatus']
> = ['invited', 'started', 'interrupted', 'completed', 'expired', 'withdrawn'];
export const waitingApplicationValues: ReadonlyArray<
  FlattenedDeepRequired<components>['schemas']['WaitingApplication']
> = ['outcome', 'expiring', 'accommodation', 'erasure'];
export const waitingEvaluationValues: ReadonlyArray<
  FlattenedDeepRequired<components>['schemas']['WaitingEvaluation']
> = ['failed', 'contested', 'overdue'];

export const addMemberByEmailLimits = { email: { maxLength: 320 } } as const;

export const addMemberBySubjectLimits = { subject: { maxLength: 255 } } as const;

export const addPieceLimits = {
  offset: { minimum: 0, maximum: 10485760 },
  data: { maxLength: 174764 },
} as const;

export const answerContestLimits = { text: { maxLength: 4000 } } as const;

export const beginFileSetLimits = {
  name: { maxLength: 200 },
  sha256: { maxLength: 64 },
  bytes: { minimum: 1, maximum: 5242880 },
} as const;

export const beginHandInLimits = {
  name: { maxLength: 200 },
  sha256: { maxLength: 64 },
  bytes: { minimum: 1, maximum: 10485760 },
} as const;

export const changeSavedViewLimits = { name: { maxLength: 80 } } as const;

export const cloneRoleLimits = { name: { maxLength: 200 } } as const;

export const contestAboutLimits = { reference: { maxLength: 1000 } } as const;

export const contestEvaluationLimits = { text: { maxLength: 4000 } } as const;

export const createApiKeyLimits = {
  name: { maxLength: 100 },
  scopes: { minItems: 1, maxItems: 18 },
  expiresInDays: { minimum: 1, maximum: 365 },
} as const;

export const createRoleFromTemplateLimits = { name: { maxLength: 200 } } as const;

export const createSavedViewLimits = { name: { maxLength: 80 } } as const;

export const createShareLinkLimits = {
  expiresInDays: { minimum: 1, maximum: 365 },
  label: { maxLength: 80 },
} as const;

export const createTicketLimits = {
  title: { maxLength: 200 },
  description: { maxLength: 16000 },
  links: { maxItems: 20 },
  estimatedMinutes: { minimum: 1, maximum: 10080 },
} as const;

export const createWebhookLimits = {
  url: { maxLength: 2000 },
  events: { minItems: 1, maxItems: 11 },
} as const;

export const giveEaseLimits = {
  ease: { minimum: 1, maximum: 5 },
  fairness: { minimum: 1, maximum: 5 },
  text: { maxLength: 2000 },
} as const;

export const giveFairnessLimits = {
  ease: { minimum: 1, maximum: 5 },
  fairness: { minimum: 1, maximum: 5 },
  text: { maxLength: 2000 },
} as const;

export const giveFeedbackTextLimits = {
  ease: { minimum: 1, maximum: 5 },
  fairness: { minimum: 1, maximum: 5 },
  text: { maxLength: 2000 },
} as const;

export const importCandidatesLimits = { csv: { maxLength: 262144 } } as const;

export const inviteCandidateLimits = {
  candidateEmail: { maxLength: 320 },
  candidateName: { maxLength: 200 },
  externalId: { maxLength: 200 },
} as const;

export const inviteCandidatesLimits = { invitations: { minItems: 1, maxItems: 200 } } as const;

export const recordActivityLimits = { events: { maxItems: 100 } } as const;

export const recordDispositionLimits = { reason: { maxLength: 10000 } } as const;

export const recordHumanRoundLimits = { reason: { maxLength: 10000 } } as const;

export const requestAccommodationLimits = { text: { maxLength: 4000 } } as const;

export const rotateSecretLimits = { formerSecretValidHours: { minimum: 0, maximum: 168 } } as const;

export const setAccommodationsLimits = { timeFactor: { minimum: 1, maximum: 3 } } as const;

export const setLogoLimits = { data: { maxLength: 273068 } } as const;

export const startTrialSessionLimits = { noticeVersion: { maxLength: 50 } } as const;

export const updateDimensionLimits = {
  name: { maxLength: 200 },
  weight: { minimum: 0, maximum: 100 },
  threshold: { minimum: 0, maximum: 100 },
  rubric: { maxLength: 4000 },
} as const;

export const updateNoticeLimits = { version: { maxLength: 50 }, text: { maxLength: 8000 } } as const;

export const updateOrganisationLimits = {
  name: { maxLength: 200 },
  retentionDays: { minimum: 1, maximum: 36500 },
  timeZone: { maxLength: 64 },
  senderName: { maxLength: 200 },
} as const;

export const updateQuestionLimits = { text: { maxLength: 2000 }, dimensionName: { maxLength: 200 } } as const;

export const updateRoleLimits = {
  name: { maxLength: 200 },
  overallThreshold: { minimum: 0, maximum: 100 },
  dimensions: { minItems: 1, maxItems: 100 },
  ticketIds: { maxItems: 200 },
  questions: { maxItems: 100 },
  instructions: { maxLength: 8000 },
  timeFrameMinutes: { minimum: 1, maximum: 10080 },
  reminderDays: { maxItems: 5 },
  answerPauseMs: { minimum: 500, maximum: 10000 },
} as const;

export const updateTicketLimits = {
  title: { maxLength: 200 },
  description: { maxLength: 16000 },
  links: { maxItems: 20 },
  estimatedMinutes: { minimum: 1, maximum: 10080 },
} as const;

export const writeTicketChecksLimits = { slug: { maxLength: 100 } } as const;

export const writeTicketLinkLimits = { title: { maxLength: 200 }, url: { maxLength: 2000 } } as const;
