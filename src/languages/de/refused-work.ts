/**
 * The service's sentences about work that it refuses, in German. They are stored in English, as evidence. `{}` is a name,
 * a figure or one of `WORDS`. The first sentence that fits counts.
 */
const SENTENCES: readonly (readonly [english: string, german: string])[] = [
  [
    'The path {} has a backslash: an archive separates names with /.',
    'Der Pfad {} enthält einen umgekehrten Schrägstrich. Ein Archiv trennt Namen durch /.',
  ],
  [
    'The path {} is absolute: a path in an archive is relative.',
    'Der Pfad {} ist absolut. Ein Pfad in einem Archiv ist relativ.',
  ],
  [
    'The path {} begins with a drive: a path in an archive is relative.',
    'Der Pfad {} beginnt mit einem Laufwerk. Ein Pfad in einem Archiv ist relativ.',
  ],
  ['The path {} leads out of its folder by “..”.', 'Der Pfad {} führt durch „..“ aus seinem Ordner hinaus.'],
  [
    'The path {} has an empty name, or “.”, between two slashes.',
    'Der Pfad {} enthält zwischen zwei Schrägstrichen keinen Namen oder „.“.',
  ],
  ['The path {} is not valid UTF-8.', 'Der Pfad {} ist kein gültiges UTF-8.'],
  ['The path {} has an invisible character.', 'Der Pfad {} enthält ein unsichtbares Zeichen.'],
  [
    'The path {} has one of the characters {}, which Windows does not allow.',
    'Der Pfad {} enthält eines der Zeichen {}, die Windows nicht zulässt.',
  ],
  [
    'The path {} has a name that ends with a dot or a space.',
    'Der Pfad {} enthält einen Namen, der mit einem Punkt oder Leerzeichen endet.',
  ],
  [
    'The path {} has a name that Windows gives to a device.',
    'Der Pfad {} enthält einen Namen, den Windows einem Gerät gibt.',
  ],
  ['The path {} has a name of more than {} bytes.', 'Der Pfad {} enthält einen Namen von mehr als {} Bytes.'],
  ['The path {} has more than {} bytes.', 'Der Pfad {} ist länger als {} Bytes.'],
  [
    'The path {} differs from {} only in upper and lower case, or in how its letters are encoded.',
    'Der Pfad {} unterscheidet sich von {} nur durch Groß- und Kleinschreibung oder dadurch, wie seine Buchstaben kodiert sind.',
  ],
  [
    'The path {} needs {} as a folder and as a file.',
    'Der Pfad {} braucht {} als Ordner und zugleich als Datei.',
  ],
  ['The path {} is there twice.', 'Der Pfad {} kommt zweimal vor.'],
  [
    'The path {} is {} by its content. Hand in what it holds, as files of this one.',
    'Der Pfad {} ist nach seinem Inhalt {}. Geben Sie die Dateien darin selbst ab.',
  ],
  [
    'The path {} is of a type that is not known here ({}): only files and folders are taken.',
    'Der Pfad {} ist von einer Art, die hier nicht bekannt ist ({}). Angenommen werden nur Dateien und Ordner.',
  ],
  [
    'The path {} is {}: only files and folders are taken.',
    'Der Pfad {} ist {}. Angenommen werden nur Dateien und Ordner.',
  ],
  [
    'The path {} is a folder with content. Pack it again.',
    'Der Pfad {} ist ein Ordner mit Inhalt. Packen Sie das Archiv neu.',
  ],
  [
    'The path {} has the attribute {}, which is not taken.',
    'Der Pfad {} hat das Attribut {}, das nicht angenommen wird.',
  ],
  [
    'The file {} is {} by its content. Archives are taken as .zip, .tar, .tar.gz, .tgz or .bundle.',
    'Die Datei {} ist nach ihrem Inhalt {}. Archive werden als .zip, .tar, .tar.gz, .tgz oder .bundle angenommen.',
  ],
  [
    'The name {} has a slash: a single file has no folder.',
    'Der Name {} enthält einen Schrägstrich. Eine einzelne Datei hat keinen Ordner.',
  ],
  [
    'There are more than {} files, the first too many is {}.',
    'Es sind mehr als {} Dateien. Die erste, die zu viel ist, ist {}.',
  ],
  [
    'The files are larger than {} together, the first too much is {}.',
    'Die Dateien sind zusammen größer als {}. Die erste, die zu viel ist, ist {}.',
  ],
  [
    'The archive unpacks to more than {}, with all that is left out of it. Pack the work’s own files only.',
    'Ausgepackt ist das Archiv größer als {}, mit allem, was davon weggelassen wird. Packen Sie nur die eigenen Dateien Ihrer Arbeit.',
  ],
  [
    'The archive has more than {} entries. Pack the work’s own files only.',
    'Das Archiv hat mehr als {} Einträge. Packen Sie nur die eigenen Dateien Ihrer Arbeit.',
  ],
  [
    'The archive holds no files besides installed packages ({}).',
    'Das Archiv enthält außer installierten Paketen ({}) keine Dateien.',
  ],
  ['The archive holds no files.', 'Das Archiv enthält keine Dateien.'],
  [
    'The file is not a valid {} archive, or was cut off. Pack it again.',
    'Die Datei ist kein gültiges {}-Archiv oder wurde abgeschnitten. Packen Sie sie neu.',
  ],
  [
    'The file is not valid gzip, or was cut off. Pack it again.',
    'Die Datei ist kein gültiges gzip oder wurde abgeschnitten. Packen Sie sie neu.',
  ],
  [
    'The file is not a valid git bundle, or was cut off. Make it again: {}',
    'Die Datei ist kein gültiges git-Bundle oder wurde abgeschnitten. Erzeugen Sie sie neu: {}',
  ],
  [
    'The git bundle {} Make it of all that HEAD needs: {}',
    'Das git-Bundle {} Erzeugen Sie es aus allem, was HEAD braucht: {}',
  ],
  [
    'The zip archive is encrypted at {}. Pack it without a password.',
    'Das zip-Archiv ist bei {} verschlüsselt. Packen Sie es ohne Passwort.',
  ],
  [
    'The zip archive is encrypted. Pack it without a password.',
    'Das zip-Archiv ist verschlüsselt. Packen Sie es ohne Passwort.',
  ],
  [
    'The zip archive has {} in a compression that is not known here. Pack it with the usual one (deflate).',
    'Das zip-Archiv enthält {} in einer Kompression, die hier nicht bekannt ist. Packen Sie es mit der üblichen (deflate).',
  ],
  [
    'The file is one part of a split zip archive. Pack it as a single file.',
    'Die Datei ist ein Teil eines geteilten zip-Archivs. Packen Sie es als eine einzige Datei.',
  ],
  [
    'The zip archive contradicts itself at {}: it is also called {}. Pack it again.',
    'Das zip-Archiv widerspricht sich bei {}: Es heißt auch {}. Packen Sie es neu.',
  ],
  [
    'The zip archive contradicts itself at {}: {}. Pack it again.',
    'Das zip-Archiv widerspricht sich bei {}: {}. Packen Sie es neu.',
  ],
  [
    'The paths of these files are too long in all: hand in fewer files, or give them shorter names.',
    'Die Pfade dieser Dateien sind zusammen zu lang. Geben Sie weniger Dateien ab, oder geben Sie ihnen kürzere Namen.',
  ],
  [
    'This session holds as many hand-ins with many files as it can: hand in fewer files.',
    'Es sind so viele Abgaben mit vielen Dateien gespeichert, wie möglich ist. Geben Sie weniger Dateien ab.',
  ],
  [
    'You have handed in {} times for this ticket: there can be no more. The last one counts.',
    'Sie haben für diese Aufgabe {}-mal abgegeben, mehr ist nicht möglich. Die letzte Abgabe zählt.',
  ],
  [
    'This did not arrive, and {} hand-ins were begun after it. If you need it, hand it in again.',
    'Das ist nicht angekommen, und {} Abgaben wurden danach begonnen. Wenn Sie es brauchen, geben Sie es noch einmal ab.',
  ],
  [
    '{} hand-ins for this ticket were refused: no further one can be begun. Ask those who invited you.',
    '{} Abgaben für diese Aufgabe wurden abgewiesen, weitere sind nicht möglich. Fragen Sie, wer Sie eingeladen hat.',
  ],
  [
    'This session holds as much evidence as it can ({}): nothing was recorded.',
    'Mehr kann für dieses Auswahlverfahren nicht gespeichert werden ({}): Nichts wurde gespeichert.',
  ],
  [
    'The archive takes too long, or too much memory, to unpack. Pack fewer and smaller files.',
    'Das Archiv braucht zum Auspacken zu lange oder zu viel Speicher. Packen Sie weniger und kleinere Dateien.',
  ],
  [
    'What arrived is not what was announced, and was discarded: send all of it again from its beginning.',
    'Was ankam, ist nicht das Angekündigte und wurde verworfen. Geben Sie es noch einmal ab.',
  ],
  ['This session has ended.', 'Das Auswahlverfahren ist beendet.'],
];

const WORDS: Readonly<Record<string, string>> = {
  'a symbolic link': 'ein symbolischer Link',
  'a hard link': 'ein harter Link',
  'a submodule': 'ein Submodul',
  'a device': 'ein Gerät',
  'a named pipe': 'eine benannte Pipe',
  'a device, a pipe or a socket': 'ein Gerät, eine Pipe oder ein Socket',
  'of an unknown type': 'von unbekannter Art',
  'a zip archive': 'ein zip-Archiv',
  'a gzip archive': 'ein gzip-Archiv',
  'a bzip2 archive': 'ein bzip2-Archiv',
  'an xz archive': 'ein xz-Archiv',
  'a Zstandard archive': 'ein Zstandard-Archiv',
  'a 7z archive': 'ein 7z-Archiv',
  'a rar archive': 'ein rar-Archiv',
  'a tar archive': 'ein tar-Archiv',
  'a git bundle': 'ein git-Bundle',
  'needs commits that it does not hold.': 'braucht Commits, die es nicht enthält.',
  'leaves out a part of its objects.': 'lässt einen Teil seiner Objekte weg.',
  'has no HEAD, and not one branch alone.': 'hat keinen HEAD und nicht genau einen Branch.',
  'lacks objects.': 'enthält nicht alle Objekte.',
  '“the directory”': 'seinem Verzeichnis',
  'it has another number of entries or another size than it says':
    'Es hat eine andere Zahl von Einträgen oder eine andere Größe, als es angibt',
  'its content is not where the directory says': 'Der Inhalt ist nicht dort, wo das Verzeichnis ihn angibt',
  'it is a folder with content': 'Das ist ein Ordner mit Inhalt',
  'it has another name at its content': 'Am Inhalt steht ein anderer Name',
  'it has two methods of compression': 'Es hat zwei Kompressionsverfahren',
  'it has two sizes': 'Es hat zwei Größen',
  'it is a file and a folder': 'Es ist Datei und Ordner zugleich',
  'it has another size than it says': 'Es hat eine andere Größe, als es angibt',
  'its checksum is wrong': 'Die Prüfsumme stimmt nicht',
  'there are bytes after its content': 'Nach dem Inhalt stehen weitere Bytes',
  'its content is damaged': 'Der Inhalt ist beschädigt',
  'it shares bytes with another entry': 'Es teilt Bytes mit einem anderen Eintrag',
  'there are bytes before it that are in no entry': 'Davor stehen Bytes, die zu keinem Eintrag gehören',
};

/** A sentence in German; one that is unknown stays as it is. */
export const refusedWork = (sentence: string): string => {
  for (const [english, german] of SENTENCES) {
    const found = patternOf(english).exec(sentence);
    if (found === null) continue;
    let at = 0;
    return german.replaceAll('{}', () => word(found[(at += 1)] ?? ''));
  }
  return sentence;
};

const patternOf = (english: string): RegExp =>
  new RegExp(
    `^${english
      .split('{}')
      .map((part) => part.replace(/[.()]/g, '\\$&'))
      .join('(.+)')}$`,
    'su',
  );

const word = (text: string): string => WORDS[text] ?? text.replace(/^“(.*)”$/su, '„$1“');
