import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.bson.Document;
import io.netty.channel.Channel;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.h2.mvstore.MVStore;

/** The package's server, with a newer version's number, writes that are kept before they are answered, and faults. */
final class Backend extends H2Backend {
  private static final Set<String> READS =
      Set.of(
          "find", "getMore", "killCursors", "count", "aggregate", "distinct", "listCollections", "listIndexes",
          "listDatabases", "ping", "buildInfo", "serverStatus", "collStats", "dbStats", "endSessions");
  private static final Set<String> GREETINGS = Set.of("hello", "isMaster", "ismaster");
  private static final long DEAD_PAGES_KEPT_MS = 1_000;

  private final FailPoint failPoint = new FailPoint();
  private final ReadWriteLock committing = new ReentrantReadWriteLock(true);

  /** @param file null keeps everything in memory */
  Backend(String file) {
    super(open(file));
    version(new Seven());
  }

  /** Committed by nobody but {@link #answer}: half a command must never be what a kill leaves behind. */
  private static MVStore open(String file) {
    MVStore store = new MVStore.Builder().fileName(file).autoCommitDisabled().open();
    if (file != null) store.setRetentionTime((int) DEAD_PAGES_KEPT_MS);
    return store;
  }

  @Override
  public Document handleCommand(Channel channel, String database, String command, Document query) {
    if (command.equals("configureFailPoint")) return failPoint.configure(query);
    if (GREETINGS.contains(command)) failPoint.greeted(channel, query);
    FailPoint.Fault fault = failPoint.faultFor(channel, database, command, query);
    if (fault == null) return answer(channel, database, command, query);
    fault.block();
    if (fault.closesConnection()) {
      channel.close();
      return new Document("ok", 0);
    }
    Document refusal = fault.refusal();
    return refusal != null ? refusal : fault.addTo(answer(channel, database, command, query));
  }

  private Document answer(Channel channel, String database, String command, Document query) {
    if (GREETINGS.contains(command)) return greeting(channel, database, query);
    if (command.equals("getParameter")) return parameters(query);
    Commands commands = new Commands((db, name, body) -> super.handleCommand(channel, db, name, body));
    // Nobody reads what a kill would still undo.
    Lock lock = READS.contains(command) ? committing.readLock() : committing.writeLock();
    lock.lock();
    try {
      return commands.run(database, command, query);
    } finally {
      if (!READS.contains(command)) commit();
      lock.unlock();
    }
  }

  private Document greeting(Channel channel, String database, Document query) {
    Document answer = super.handleCommand(channel, database, "ismaster", query);
    answer.put("helloOk", true);
    answer.put("isWritablePrimary", true);
    answer.put("readOnly", false);
    return answer;
  }

  private static Document parameters(Document query) {
    Document answer = new Document();
    if (query.containsKey("featureCompatibilityVersion"))
      answer.put("featureCompatibilityVersion", new Document("version", "7.0"));
    if (query.containsKey("enableTestCommands")) answer.put("enableTestCommands", true);
    answer.put("ok", 1.0);
    return answer;
  }

  private static final class Seven implements MongoVersion {
    @Override
    public List<Integer> getVersionArray() {
      return List.of(7, 0, 0);
    }

    @Override
    public int getWireVersion() {
      return 21;
    }
  }
}
