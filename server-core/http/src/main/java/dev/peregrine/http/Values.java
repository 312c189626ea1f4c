package dev.peregrine.http;

import java.time.DateTimeException;
import java.util.function.Function;

/** Conversion of parameters to other types. */
final class Values {
  private Values() {}

  /**
   * Parses the value of a parameter.
   *
   * @throws HttpException 400 if the function rejects the text. The message names the parameter,
   *     but neither its value nor a class
   */
  static <T> T parse(String name, String text, Function<? super String, ? extends T> parser) {
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException | DateTimeException | ArithmeticException invalid) {
      throw new HttpException(
          HttpStatus.BAD_REQUEST.code(),
          "the value of parameter " + name + " is not valid",
          invalid);
    }
  }

  static HttpException missing(String name) {
    return new HttpException(HttpStatus.BAD_REQUEST.code(), "parameter " + name + " is missing");
  }
}
