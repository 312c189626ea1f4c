package dev.peregrine.spring;

import dev.peregrine.http.Request;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;

/**
 * The fields of a request as a map that can't be changed: looked up where they lie, and by names in
 * any case. Its entries are the distinct names, in the order of their first lines.
 */
final class RequestHeaders extends AbstractMap<String, List<String>>
    implements MultiValueMap<String, String> {
  private final Request request;

  RequestHeaders(Request request) {
    this.request = request;
  }

  @Override
  public @Nullable String getFirst(String name) {
    return request.header(name);
  }

  @Override
  public @Nullable List<String> get(@Nullable Object name) {
    if (!(name instanceof String text)) {
      return null;
    }
    List<String> values = request.headers(text);
    return values.isEmpty() ? null : values;
  }

  @Override
  public boolean containsKey(@Nullable Object name) {
    return name instanceof String text && request.header(text) != null;
  }

  @Override
  public boolean isEmpty() {
    return request.headerCount() == 0;
  }

  @Override
  public Set<Entry<String, List<String>>> entrySet() {
    return new Entries();
  }

  /** Returns the index of the next line whose name no earlier line has; the number of lines. */
  private int nextDistinct(int from) {
    int index = from;
    while (index < request.headerCount() && isRepeated(index)) {
      index++;
    }
    return index;
  }

  private boolean isRepeated(int index) {
    String name = request.headerName(index);
    for (int earlier = 0; earlier < index; earlier++) {
      if (request.headerName(earlier).equalsIgnoreCase(name)) {
        return true;
      }
    }
    return false;
  }

  private final class Entries extends AbstractSet<Entry<String, List<String>>> {
    @Override
    public Iterator<Entry<String, List<String>>> iterator() {
      return new EntryIterator();
    }

    @Override
    public int size() {
      int names = 0;
      int lines = request.headerCount();
      for (int index = nextDistinct(0); index < lines; index = nextDistinct(index + 1)) {
        names++;
      }
      return names;
    }
  }

  private final class EntryIterator implements Iterator<Entry<String, List<String>>> {
    private int next = nextDistinct(0);

    @Override
    public boolean hasNext() {
      return next < request.headerCount();
    }

    @Override
    public Entry<String, List<String>> next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      String name = request.headerName(next);
      next = nextDistinct(next + 1);
      return Map.entry(name, request.headers(name));
    }
  }

  // ---- a request can't be changed ----

  @Override
  public void add(String name, @Nullable String value) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void addAll(String name, List<? extends @Nullable String> values) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void addAll(MultiValueMap<String, String> values) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void set(String name, @Nullable String value) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void setAll(Map<String, String> values) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Map<String, String> toSingleValueMap() {
    Map<String, String> first = new LinkedHashMap<>();
    for (Entry<String, List<String>> entry : entrySet()) {
      first.put(entry.getKey(), entry.getValue().getFirst());
    }
    return first;
  }
}
