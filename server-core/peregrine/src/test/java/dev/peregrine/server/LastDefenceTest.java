package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.testing.OwnCode;
import java.io.IOException;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.constantpool.StringEntry;
import java.lang.classfile.instruction.ConstantInstruction.LoadConstantInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.LabelTarget;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Code that catches every {@code Throwable} may run without memory. So it allocates nothing, not
 * even by the first use of a string literal, outside of a {@code try} block.
 */
final class LastDefenceTest {
  static Stream<Named<ClassModel>> classes() throws IOException {
    Set<String> packages =
        Stream.of(HttpServer.class, Connection.class, EventLoop.class)
            .map(one -> one.getPackageName().replace('.', '/'))
            .collect(Collectors.toSet());
    return OwnCode.classes().stream()
        .map(type -> Named.of(type.thisClass().asInternalName(), type))
        .filter(type -> packages.contains(type.getName().replaceFirst("/?[^/]*$", "")))
        .sorted(Comparator.comparing(Named::getName));
  }

  @ParameterizedTest
  @MethodSource("classes")
  void allocatesNothing(ClassModel type) {
    List<String> offenders = new ArrayList<>();
    for (MethodModel method : type.methods()) {
      method.code().ifPresent(code -> check(method, (CodeAttribute) code, offenders));
    }
    assertThat(offenders).isEmpty();
  }

  private static void check(MethodModel method, CodeAttribute code, List<String> offenders) {
    List<CodeElement> elements = code.elementList();
    for (ExceptionCatch handler : code.exceptionHandlers()) {
      if (handler.catchType().map(type -> isEverything(type.asInternalName())).orElse(false)) {
        checkHandler(method, code, elements, handler.handler(), offenders);
      }
    }
  }

  private static boolean isEverything(String type) {
    return type.equals("java/lang/Throwable");
  }

  /** Checks the instructions of an exception handler up to its first jump. */
  private static void checkHandler(
      MethodModel method,
      CodeAttribute code,
      List<CodeElement> elements,
      Label handler,
      List<String> offenders) {
    boolean within = false;
    int offset = 0;
    for (CodeElement element : elements) {
      if (element instanceof LabelTarget target && target.label().equals(handler)) {
        within = true;
        offset = code.labelToBci(handler);
      } else if (within && element instanceof Instruction instruction) {
        if (allocates(instruction) && !isGuarded(code, offset)) {
          offenders.add(method.methodName().stringValue() + ": " + instruction);
        }
        if (ends(instruction.opcode())) {
          return;
        }
        offset += instruction.sizeInBytes();
      }
    }
  }

  private static boolean allocates(Instruction instruction) {
    return switch (instruction.opcode()) {
      case NEW, NEWARRAY, ANEWARRAY, MULTIANEWARRAY, INVOKEDYNAMIC -> true;
      default ->
          instruction instanceof LoadConstantInstruction load
              && load.constantEntry() instanceof StringEntry;
    };
  }

  private static boolean isGuarded(CodeAttribute code, int offset) {
    return code.exceptionHandlers().stream()
        .anyMatch(
            other ->
                other.catchType().map(type -> isEverything(type.asInternalName())).orElse(false)
                    && code.labelToBci(other.tryStart()) <= offset
                    && offset < code.labelToBci(other.tryEnd()));
  }

  private static boolean ends(Opcode opcode) {
    return switch (opcode) {
      case GOTO, GOTO_W, ATHROW, RETURN, ARETURN, IRETURN, LRETURN -> true;
      default -> false;
    };
  }
}
