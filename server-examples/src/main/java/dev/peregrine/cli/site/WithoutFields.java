package dev.peregrine.cli.site;

import dev.peregrine.http.ForwardingResponse;
import dev.peregrine.http.PreparedFields;
import dev.peregrine.http.Response;
import java.util.Objects;
import java.util.function.Predicate;

/** A response that some fields are kept away from. */
class WithoutFields extends ForwardingResponse {
  private final Predicate<String> unwanted;

  /**
   * Wraps a response.
   *
   * @param unwanted tests the name of a field, in any case
   */
  WithoutFields(Response response, Predicate<String> unwanted) {
    super(response);
    this.unwanted = unwanted;
  }

  @Override
  public Response header(String name, String value) {
    return unwanted.test(name) ? this : super.header(name, value);
  }

  @Override
  public Response addHeader(String name, String value) {
    return unwanted.test(name) ? this : super.addHeader(name, value);
  }

  @Override
  public Response addHeaders(PreparedFields fields) {
    PreparedFields kept = PreparedFields.NONE;
    for (int i = 0; i < fields.count(); i++) {
      String name = fields.name(i);
      if (!unwanted.test(name)) {
        kept = kept.and(name, Objects.requireNonNull(fields.value(name)));
      }
    }
    return super.addHeaders(kept.count() == fields.count() ? fields : kept);
  }
}
