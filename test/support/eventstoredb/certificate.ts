import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Makes a key and a certificate for this host in a folder. Needs the `openssl` command. */
export const makeCertificate = async (
  folder: string,
): Promise<{ readonly keyFile: string; readonly certificateFile: string }> => {
  const keyFile = join(folder, 'key.pem');
  const certificateFile = join(folder, 'certificate.pem');
  const flags = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost';
  const names = ['-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'];
  const files = ['-keyout', keyFile, '-out', certificateFile];
  await promisify(execFile)('openssl', ['req', ...flags.split(' '), ...names, ...files]);
  return { keyFile, certificateFile };
};
