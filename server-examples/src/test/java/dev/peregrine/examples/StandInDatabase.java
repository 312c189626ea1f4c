package dev.peregrine.examples;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import javax.sql.DataSource;

/** A database of one table with one row that supports one query: JDBC without a driver. */
final class StandInDatabase {
  private final String query;
  private final long key;
  private final String value;
  private final Runnable onClose;

  /** A pool of connections, which has to be closed. */
  interface Pool extends DataSource, AutoCloseable {
    @Override
    void close();
  }

  private StandInDatabase(String query, long key, String value, Runnable onClose) {
    this.query = query;
    this.key = key;
    this.value = value;
    this.onClose = onClose;
  }

  static Pool of(String query, long key, String value) {
    return of(query, key, value, () -> {});
  }

  static Pool of(String query, long key, String value, Runnable onClose) {
    return new StandInDatabase(query, key, value, onClose).pool();
  }

  private Pool pool() {
    return proxy(
        Pool.class,
        (self, method, args) -> {
          if (isClose(method)) {
            onClose.run();
            return null;
          }
          return connection();
        });
  }

  private Connection connection() {
    return proxy(
        Connection.class,
        (self, method, args) -> {
          if (isClose(method)) {
            return null;
          }
          if (!args[0].equals(query)) {
            throw new IllegalArgumentException("unknown query " + args[0]);
          }
          return statement();
        });
  }

  private PreparedStatement statement() {
    long[] asked = new long[1];
    return proxy(
        PreparedStatement.class,
        (self, method, args) ->
            switch (method.getName()) {
              case "setLong" -> {
                asked[0] = (Long) args[1];
                yield null;
              }
              case "executeQuery" -> rows(asked[0]);
              default -> null;
            });
  }

  private ResultSet rows(long asked) {
    return proxy(
        ResultSet.class,
        (self, method, args) ->
            switch (method.getName()) {
              case "next" -> asked == key;
              case "getString" -> value;
              default -> null;
            });
  }

  private static boolean isClose(Method method) {
    return method.getName().equals("close");
  }

  private static <T> T proxy(Class<T> type, InvocationHandler answers) {
    ClassLoader loader = StandInDatabase.class.getClassLoader();
    return type.cast(Proxy.newProxyInstance(loader, new Class<?>[] {type}, answers));
  }
}
