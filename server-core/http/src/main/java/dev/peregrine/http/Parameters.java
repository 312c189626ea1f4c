package dev.peregrine.http;

import dev.peregrine.http.text.Urlencoded;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Names and values of a query or a form, {@code application/x-www-form-urlencoded}: pairs separated
 * by {@code &}, percent-encoded UTF-8, with {@code +} for a space. A pair without {@code =} has the
 * empty value. Immutable; keeps the order, and repeated names.
 *
 * <pre>{@code
 * String term = request.queryParameters().first("q");
 * }</pre>
 */
public final class Parameters {
  /** The largest number of pairs; more are rejected. */
  public static final int COUNT_MAX = 1000;

  /** No parameters. */
  public static final Parameters NONE = new Parameters(List.of(), List.of());

  private final List<String> names;
  private final List<String> values;

  private Parameters(List<String> names, List<String> values) {
    this.names = names;
    this.values = values;
  }

  /**
   * Returns pairs of names and values that were decoded before, such as those of a multipart form.
   *
   * @throws IllegalArgumentException if there are more names than values, or fewer
   */
  public static Parameters of(List<String> names, List<String> values) {
    if (names.size() != values.size()) {
      throw new IllegalArgumentException(names.size() + " names for " + values.size() + " values");
    }
    return new Parameters(List.copyOf(names), List.copyOf(values));
  }

  /**
   * Decodes pairs.
   *
   * @throws HttpException 400 if there are more than {@link #COUNT_MAX}, if a percent sign lacks
   *     its digits, or if something isn't UTF-8 or has a NUL when decoded
   */
  public static Parameters parse(String urlencoded) {
    return parse(urlencoded.getBytes(StandardCharsets.UTF_8));
  }

  /** Like {@link #parse(String)}. */
  public static Parameters parse(byte[] urlencoded) {
    List<String> names = new ArrayList<>();
    List<String> values = new ArrayList<>();
    try {
      Urlencoded.decode(urlencoded, COUNT_MAX, names, values);
    } catch (IllegalArgumentException invalid) {
      throw new HttpException(HttpStatus.BAD_REQUEST.code(), invalid.getMessage());
    }
    return new Parameters(names, values);
  }

  /** Returns the value of the first parameter of that name; null if there is none. */
  public @Nullable String first(String name) {
    int i = names.indexOf(name);
    return i < 0 ? null : values.get(i);
  }

  /**
   * Returns the value of the first parameter of that name as another type; null if there is none.
   *
   * <pre>{@code
   * Integer page = form.first("page", Integer::valueOf);
   * }</pre>
   *
   * @param parser as {@link Request#pathParameter(String, Function)} takes it
   * @throws HttpException 400 if the parser rejects the value
   */
  public <T> @Nullable T first(String name, Function<? super String, ? extends T> parser) {
    Objects.requireNonNull(parser, "parser");
    String text = first(name);
    return text == null ? null : Values.parse(name, text, parser);
  }

  /**
   * Returns the value of the first parameter of that name.
   *
   * @throws HttpException 400 if there is none
   */
  public String required(String name) {
    String text = first(name);
    if (text == null) {
      throw Values.missing(name);
    }
    return text;
  }

  /**
   * Returns the value of the first parameter of that name as another type.
   *
   * @param parser as {@link Request#pathParameter(String, Function)} takes it
   * @throws HttpException 400 if there is none, or if the parser rejects its value
   */
  public <T> T required(String name, Function<? super String, ? extends T> parser) {
    return Values.parse(name, required(name), parser);
  }

  /** Returns the values of all parameters of that name in the order they were sent. */
  public List<String> all(String name) {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      if (names.get(i).equals(name)) {
        all.add(values.get(i));
      }
    }
    return Collections.unmodifiableList(all);
  }

  /** Returns the names in the order of their first occurrence. */
  public Set<String> names() {
    return Collections.unmodifiableSet(new LinkedHashSet<>(names));
  }

  /** Returns the number of pairs. */
  public int size() {
    return names.size();
  }

  /**
   * Returns the name of a pair.
   *
   * @param index 0 to {@link #size} - 1
   */
  public String name(int index) {
    return names.get(index);
  }

  /**
   * Returns the value of a pair.
   *
   * @param index 0 to {@link #size} - 1
   */
  public String value(int index) {
    return values.get(index);
  }

  /** Returns the pairs, decoded; they may contain line ends and other control characters. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < names.size(); i++) {
      text.append(i == 0 ? "" : ", ").append(names.get(i)).append('=').append(values.get(i));
    }
    return text.toString();
  }
}
