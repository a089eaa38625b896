import de.bwaldvogel.mongo.MongoServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.h2.mvstore.MVStoreException;

/**
 * The MongoDB of the tests: {@code Server PORT FOLDER}, port 0 for a free one, folder "-" for none. Prints its URL
 * when it is ready. Ends on SIGTERM, and when its standard input ends, so that it outlives nobody who started it.
 */
public final class Server {
  /** Each connection has a thread of its own, as far as these go: a blocked command holds up no other connection. */
  private static final int THREADS = 48;

  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(args[0]);
    MongoServer server;
    try {
      server = new MongoServer(new Backend(args[1].equals("-") ? null : storeIn(Path.of(args[1]))));
    } catch (MVStoreException | IOException error) {
      throw ended("The MongoDB test server cannot use " + args[1] + ": " + error.getMessage());
    }
    try {
      server.bind(new InetSocketAddress("127.0.0.1", port), 1, THREADS);
    } catch (Exception error) {
      throw ended("The MongoDB test server cannot listen on port " + port + ": " + error.getMessage());
    }
    Runtime.getRuntime().addShutdownHook(new Thread(server::shutdownNow));
    System.out.println("mongodb://127.0.0.1:" + server.getLocalAddress().getPort());
    while (System.in.read() >= 0) {}
    System.exit(0);
  }

  private static String storeIn(Path folder) throws IOException {
    return Files.createDirectories(folder).resolve("mongodb.mv").toString();
  }

  private static Error ended(String sentence) {
    System.err.println(sentence);
    System.exit(1);
    return new Error(sentence);
  }
}
