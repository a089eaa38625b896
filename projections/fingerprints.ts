// Generated from the views by scripts/view-fingerprints.mjs, at each build.

/** A digest of each view’s code, by its name and version. */
export const FINGERPRINTS: Readonly<Record<string, string>> = {
  'applications 8': '4ec927a1f171352ae1064c52166487ad',
  'audit 9': '807eb87e13994065cba0d52e12ee77c7',
  'candidates 2': '80984c253e3f8dacb77f3d545fc744ab',
  'contests 1': '2caf03e82a43f0a751f714c30e3d9074',
  'deliveries 3': 'fab357a5bc639a16c273517a2f09e561',
  'evaluation-results 2': '5fd5f00a37236379297a63c09d088bf0',
  'evaluations 3': 'af892e2b900e540cca741a7d7f89fe49',
  'evidence 7': '7183436e7b15dea1f1d11f232eea3ef5',
  'mails 2': '484064aec92354d4db4b9a566ed3754c',
  'members 1': 'b10c2fa9189add2c8e7cc62c898fc5e6',
  'notices 4': 'cc33a8752d780f6248190626e0576240',
  'open-interviews 3': '9e12055555713401a12846df55346ba5',
  'open-trials 3': '155674bc9ee5252ef39d12033773784c',
  'organisations 3': 'c10ac2ba084d64fa22bae415e670aa5a',
  'pending-erasures 1': 'bba9a21decac83c3db60f34bbd19724e',
  'pending-evaluations 2': 'f1c541ed60fa1ae711c0346201d45319',
  'retention 1': '4f4a7ab9f70eeb4ebb9758c57b2f583d',
  'roles 2': 'f13755adfc4d2830fa67270984c1662a',
  'share-links 1': '0e7c51b57de26b624c8e355600d9e780',
  'signal 2': '5384750e587c8e3d1667d3194085a53f',
  'tickets 1': '89e07fc97e430acc600b9daa0c14b68b',
  'webhooks 2': 'b6a5e3714b68358a399a458d0f4909f7',
};
