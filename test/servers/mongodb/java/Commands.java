import de.bwaldvogel.mongo.backend.DefaultQueryMatcher;
import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The package's commands, corrected where they answer otherwise than MongoDB does. */
record Commands(Package own) {
  /** A command as the package runs it. */
  interface Package {
    Document run(String database, String command, Document query);
  }

  Document run(String database, String command, Document query) {
    return switch (command) {
      case "insert" -> insert(database, query);
      case "update" -> isOrdered(query) ? orderedUpdate(database, query) : own.run(database, command, query);
      case "listCollections" -> listCollections(database, query);
      case "listDatabases" -> listDatabases(database, query);
      case "dropDatabase" -> dropDatabase(database);
      default -> own.run(database, command, query);
    };
  }

  private static boolean isOrdered(Document query) {
    return !Boolean.FALSE.equals(query.get("ordered"));
  }

  /** The package counts refused documents too. */
  private Document insert(String database, Document query) {
    Document answer = own.run(database, "insert", query);
    if (!(answer.get("writeErrors") instanceof List<?> refused)) return answer;
    int sent = (Integer) answer.get("n");
    Object inserted = isOrdered(query) ? ((Document) refused.get(0)).get("index") : sent - refused.size();
    answer.put("n", inserted);
    return answer;
  }

  /** The package goes on after a refused statement. */
  private Document orderedUpdate(String database, Document query) {
    int matched = 0;
    int modified = 0;
    List<Document> upserted = new ArrayList<>();
    Document answer = new Document();
    List<?> updates = (List<?>) query.get("updates");
    for (int index = 0; index < updates.size() && !answer.containsKey("writeErrors"); index++) {
      Document one = query.clone();
      one.put("updates", List.of(updates.get(index)));
      Document done = own.run(database, "update", one);
      matched += (Integer) done.get("n");
      modified += (Integer) done.get("nModified");
      for (Document upsert : documents(done.get("upserted"))) upserted.add(at(index, upsert));
      for (Document error : documents(done.get("writeErrors"))) answer.put("writeErrors", List.of(at(index, error)));
    }
    answer.append("n", matched).append("nModified", modified);
    if (!upserted.isEmpty()) answer.put("upserted", upserted);
    return answer.append("ok", 1.0);
  }

  private static Document at(int index, Document document) {
    document.put("index", index);
    return document;
  }

  /** The package lists all, whatever is asked for. */
  private Document listCollections(String database, Document query) {
    Document answer = own.run(database, "listCollections", query);
    ((Document) answer.get("cursor")).put("firstBatch", collections(database, query));
    return answer;
  }

  private List<Document> collections(String database, Document query) {
    Document answer = own.run(database, "listCollections", new Document("listCollections", 1));
    List<Document> all = new ArrayList<>(documents(((Document) answer.get("cursor")).get("firstBatch")));
    if (query.get("filter") instanceof Document filter)
      all.removeIf(one -> !new DefaultQueryMatcher().matches(one, filter));
    return all;
  }

  /** The package lists empty ones too. */
  private Document listDatabases(String database, Document query) {
    Document answer = own.run(database, "listDatabases", query);
    List<Document> filled = new ArrayList<>(documents(answer.get("databases")));
    filled.removeIf(one -> collections((String) one.get("name"), new Document()).isEmpty());
    answer.put("databases", filled);
    return answer;
  }

  /** The package drops every database whose name begins so. */
  private Document dropDatabase(String database) {
    for (Document one : collections(database, new Document()))
      own.run(database, "drop", new Document("drop", one.get("name")));
    return new Document("dropped", database).append("ok", 1.0);
  }

  @SuppressWarnings("unchecked")
  private static Collection<Document> documents(Object list) {
    return list == null ? List.of() : (Collection<Document>) list;
  }
}
