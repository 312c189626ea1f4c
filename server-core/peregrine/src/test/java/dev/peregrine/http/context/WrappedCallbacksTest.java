package dev.peregrine.http.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.BodyListener;
import dev.peregrine.http.RequestBody;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** No method that takes a callback is forgotten. */
final class WrappedCallbacksTest {
  private static final Set<Class<?>> CALLBACKS =
      Set.of(Runnable.class, Consumer.class, Supplier.class, BodyListener.class);

  /** Methods that are defined by others of the same object, which wrap. */
  private static final Set<String> BY_OTHERS =
      Set.of("send(interface java.util.concurrent.Flow$Publisher)");

  private static List<String> unwrapped(Class<?> type, Class<?> wrapper) {
    List<String> names = new ArrayList<>();
    for (Method method : type.getMethods()) {
      Class<?>[] parameters = method.getParameterTypes();
      boolean calls = Arrays.stream(parameters).anyMatch(CALLBACKS::contains);
      String name = method.getName() + "(" + (calls ? parameters[0] : "") + ")";
      if (calls && !BY_OTHERS.contains(name) && !declares(wrapper, method)) {
        names.add(method.toString());
      }
    }
    return names;
  }

  private static boolean declares(Class<?> wrapper, Method method) {
    return Arrays.stream(wrapper.getDeclaredMethods())
        .anyMatch(
            own ->
                own.getName().equals(method.getName())
                    && Arrays.equals(own.getParameterTypes(), method.getParameterTypes()));
  }

  @Test
  void eachMethodThatTakesACallbackIsWrapped() {
    assertThat(unwrapped(Response.class, ContextResponse.class)).isEmpty();
    assertThat(unwrapped(ResponseStream.class, ContextStream.class)).isEmpty();
    assertThat(unwrapped(RequestBody.class, ContextBody.class)).isEmpty();
  }
}
