import de.bwaldvogel.mongo.bson.Document;
import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.util.List;
import java.util.Map;

/** MongoDB's fail point "failCommand", as the real server has it when it is started with test commands. */
final class FailPoint {
  private static final AttributeKey<String> APPLICATION = AttributeKey.valueOf("application");
  private static final Map<Integer, String> NAMES =
      Map.ofEntries(
          Map.entry(13, "Unauthorized"),
          Map.entry(50, "MaxTimeMSExpired"),
          Map.entry(64, "WriteConcernFailed"),
          Map.entry(91, "ShutdownInProgress"),
          Map.entry(112, "WriteConflict"),
          Map.entry(10107, "NotWritablePrimary"),
          Map.entry(11000, "DuplicateKey"),
          Map.entry(11600, "InterruptedAtShutdown"),
          Map.entry(14031, "OutOfDiskSpace"));

  private Fault fault = null;
  private long skip = 0;
  private long times = 0;

  synchronized Document configure(Document query) {
    if (!"failCommand".equals(query.get("configureFailPoint"))) return error(2, "BadValue", "only failCommand is there");
    Object mode = query.get("mode");
    skip = 0;
    times = Long.MAX_VALUE;
    if (mode instanceof Document counted) {
      if (counted.get("times") instanceof Number number) times = number.longValue();
      else if (counted.get("skip") instanceof Number number) skip = number.longValue();
      else return error(2, "BadValue", "mode is off, alwaysOn, {times: n} or {skip: n}");
    } else if (!"off".equals(mode) && !"alwaysOn".equals(mode)) {
      return error(2, "BadValue", "mode is off, alwaysOn, {times: n} or {skip: n}");
    }
    Document data = (Document) query.get("data");
    fault = "off".equals(mode) || data == null ? null : new Fault(data);
    return new Document("ok", 1.0);
  }

  /** Remembers the name that a client gives itself, for {@code appName}. */
  void greeted(Channel channel, Document query) {
    if (channel != null
        && query.get("client") instanceof Document client
        && client.get("application") instanceof Document application
        && application.get("name") instanceof String name) channel.attr(APPLICATION).set(name);
  }

  /** @return null where the command is to run as it is */
  synchronized Fault faultFor(Channel channel, String database, String command, Document query) {
    if (fault == null || times == 0 || !fault.means(channel, database, command, query)) return null;
    if (skip > 0) {
      skip--;
      return null;
    }
    times--;
    return fault;
  }

  private static Document error(int code, String name, String message) {
    return new Document("ok", 0.0).append("errmsg", message).append("code", code).append("codeName", name);
  }

  record Fault(Document data) {
    boolean means(Channel channel, String database, String command, Document query) {
      if (!(data.get("failCommands") instanceof List<?> commands)) return false;
      if (commands.stream().noneMatch(one -> command.equalsIgnoreCase((String) one))) return false;
      String application = channel == null ? null : channel.attr(APPLICATION).get();
      Object name = data.get("appName");
      if (name != null && !name.equals(application)) return false;
      Object namespace = data.get("namespace");
      Object collection = command.equals("getMore") ? query.get("collection") : query.get(command);
      return namespace == null || namespace.equals(database + "." + collection);
    }

    void block() {
      if (!Boolean.TRUE.equals(data.get("blockConnection"))) return;
      try {
        Thread.sleep(((Number) data.get("blockTimeMS")).longValue());
      } catch (InterruptedException ended) {
        Thread.currentThread().interrupt();
      }
    }

    boolean closesConnection() {
      return Boolean.TRUE.equals(data.get("closeConnection"));
    }

    /** @return null where the command is to run */
    Document refusal() {
      if (!(data.get("errorCode") instanceof Number code)) return null;
      String name = NAMES.getOrDefault(code.intValue(), "Location" + code);
      return error(code.intValue(), name, "Failing command via 'failCommand' failpoint");
    }

    Document addTo(Document answer) {
      if (data.get("writeConcernError") instanceof Document concern) answer.put("writeConcernError", concern);
      return answer;
    }
  }
}
